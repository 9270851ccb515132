import { findLocale, LOCALES } from '@/lib/web/locales'
import { catalog } from '@/messages/catalog'

export type LetterKind = 'signInLink' | 'passwordReset' | 'delivered' | 'failed'

/** Subject and text in the reader's language. Neither ever says what somebody asked to be drawn. */
export function letterText(
  kind: LetterKind,
  locale: string,
  values: Readonly<Record<string, string>>,
): { readonly subject: string; readonly text: string } {
  const { subject, text } = catalog[findLocale(locale) ?? LOCALES[0]].mail[kind]
  return { subject, text: fill(text, values) }
}

/** Mails need no plurals and no dates: names in braces are all that there is to fill in. */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}
