import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { AppShell } from '@/app/app-shell'
import { InEnglish } from '@/app/translations/in-english'
import { AlertBanner } from '@/components/admin-alerts'
import { AdminNav } from '@/components/admin-nav'
import { requireReviewer } from '@/lib/auth/session'
import { deps } from '@/lib/deps'
import { readAlerts } from '@/lib/use-cases/read-alerts'

export const metadata: Metadata = { title: { default: 'Admin', template: '%s · Admin · Darkroom' } }

// More than stand at once.
const ALERTS_SHOWN_MAX = 20

export default async function AdminLayout({ children }: { readonly children: ReactNode }) {
  const admin = await requireReviewer()
  const alerts = await readAlerts(deps(), admin, ALERTS_SHOWN_MAX)
  return (
    <AppShell>
      <InEnglish>
        <AdminNav />
        <AlertBanner view={alerts} />
        {children}
      </InEnglish>
    </AppShell>
  )
}
