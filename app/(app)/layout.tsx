import type { ReactNode } from 'react'
import { AppShell } from '@/app/app-shell'

export default function AppLayout({ children }: { readonly children: ReactNode }) {
  return <AppShell>{children}</AppShell>
}
