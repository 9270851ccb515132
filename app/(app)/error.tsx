'use client'

import { FailureNotice } from '@/components/failure-notice'

type ErrorPageProps = { readonly error: unknown; readonly retry: () => void }

export default function AppErrorPage({ error, retry }: ErrorPageProps) {
  return <FailureNotice error={error} retry={retry} />
}
