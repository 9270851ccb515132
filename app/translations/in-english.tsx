import { NextIntlClientProvider } from 'next-intl'
import type { ReactNode } from 'react'
import { catalog } from '@/messages/catalog'

/** A part of a page that is in English, whatever the reader's language: what is shared with others too. */
export function InEnglish({ children }: { readonly children: ReactNode }) {
  const { attempt, common, history } = catalog.en
  return (
    <NextIntlClientProvider locale="en" messages={{ attempt, common, history }}>
      <div lang="en">{children}</div>
    </NextIntlClientProvider>
  )
}
