'use client'

import { FailureNotice } from '@/components/failure-notice'

type ErrorPageProps = { readonly error: unknown; readonly retry: () => void }

export default function ErrorPage({ error, retry }: ErrorPageProps) {
  return (
    <main className="mx-auto max-w-3xl px-4 sm:px-6">
      <FailureNotice error={error} retry={retry} />
    </main>
  )
}
