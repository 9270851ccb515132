import { NextIntlClientProvider } from 'next-intl'
import { getMessages } from 'next-intl/server'
import type { ReactNode } from 'react'
import type { Messages } from '@/messages/catalog'

type ClientMessagesProps = {
  readonly namespaces: readonly (keyof Messages)[]
  readonly children: ReactNode
}

/** Hands to the browser those messages that its own components speak; the others stay on the server. */
export async function ClientMessages({ namespaces, children }: ClientMessagesProps) {
  const all = await getMessages()
  const messages = Object.fromEntries(namespaces.map((name) => [name, all[name]]))
  return <NextIntlClientProvider messages={messages}>{children}</NextIntlClientProvider>
}
