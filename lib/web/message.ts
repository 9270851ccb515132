import type { MessageKeys, Messages, NestedKeyOf } from 'next-intl'

export type MessageKey = MessageKeys<Messages, NestedKeyOf<Messages>>
export type MessageValues = Readonly<Record<string, string | number>>

/**
 * A sentence before it is said in a language: which one, and what it speaks of. What makes sentences is
 * pure and knows no language, so one test can hold each of them, in every language, against the facts.
 */
export type Message = { readonly key: MessageKey; readonly values?: MessageValues }

export const message = (key: MessageKey, values?: MessageValues): Message =>
  values === undefined ? { key } : { key, values }

/** Says a message in one language. */
export type Words = (message: Message) => string
