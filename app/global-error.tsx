'use client'

import { FailureNotice } from '@/components/failure-notice'
import './globals.css'

type GlobalErrorProps = { readonly error: unknown; readonly retry: () => void }

/** Stands in for the whole document, so it brings its own. */
export default function GlobalError({ error, retry }: GlobalErrorProps) {
  return (
    <html lang="en" className="dark">
      <body>
        <title>Darkroom</title>
        <main className="mx-auto max-w-3xl px-4 sm:px-6">
          <FailureNotice error={error} retry={retry} />
        </main>
      </body>
    </html>
  )
}
