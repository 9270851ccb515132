import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { AppShell } from '@/app/app-shell'
import { InEnglish } from '@/app/translations/in-english'
import { AdminNav } from '@/components/admin-nav'
import { requireReviewer } from '@/lib/auth/session'

export const metadata: Metadata = { title: { default: 'Admin', template: '%s · Admin · Darkroom' } }

export default async function AdminLayout({ children }: { readonly children: ReactNode }) {
  await requireReviewer()
  return (
    <AppShell>
      <InEnglish>
        <AdminNav />
        {children}
      </InEnglish>
    </AppShell>
  )
}
