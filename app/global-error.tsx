'use client'

import { digestOf, FailureWords } from '@/components/failure-notice'
import { lastResort } from '@/lib/web/last-resort'
import { localeOf } from '@/lib/web/locales'
import { useHydrated } from '@/lib/web/use-hydrated'
import './globals.css'

type GlobalErrorProps = { readonly error: unknown; readonly retry: () => void }

/** Stands in for the whole document, so it brings its own, and its own words: there are no messages here. */
export default function GlobalError({ error, retry }: GlobalErrorProps) {
  const isHydrated = useHydrated()
  const locale = isHydrated
    ? localeOf(document.documentElement.lang, navigator.languages.join())
    : localeOf(undefined, undefined)
  const words = lastResort[locale]
  const number = digestOf(error)
  return (
    <html lang={locale} className="dark">
      <body>
        <title>Darkroom</title>
        <main className="mx-auto max-w-3xl px-4 sm:px-6">
          <FailureWords
            words={{
              ...words,
              number: number === undefined ? '' : words.number.replace('{number}', number),
            }}
            retry={retry}
          />
        </main>
      </body>
    </html>
  )
}
