/** The languages of the pages, the first for whoever reads none of the others. */
export const LOCALES = ['en', 'de', 'ja'] as const
export type Locale = (typeof LOCALES)[number]

export const findLocale = (name: unknown): Locale | undefined =>
  LOCALES.find((locale) => locale === name)

/** Each in its own words: whoever looks for it may read no other. */
export const languageNames: Record<Locale, string> = { en: 'English', de: 'Deutsch', ja: '日本語' }

/** What stands between two sentences. */
export const sentenceGap: Record<Locale, string> = { en: ' ', de: ' ', ja: '' }

export const LANGUAGE_COOKIE = 'darkroom-language'
export const LANGUAGE_COOKIE_SECONDS = 365 * 24 * 3_600

// More than any browser sends: the rest of a longer list changes nothing.
const WISHES_MAX = 20

type Wish = { readonly language: string; readonly weight: number }

function wishesOf(acceptLanguage: string): readonly Wish[] {
  const wishes = acceptLanguage
    .split(',')
    .slice(0, WISHES_MAX)
    .map((part) => {
      const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      const quality = parameters.find((text) => text.startsWith('q='))
      const weight = quality === undefined ? 1 : Number(quality.slice(2))
      return { language: range.split('-')[0] ?? '', weight: Number.isFinite(weight) ? weight : 0 }
    })
  // Equal weights stay in the order in which they were sent.
  return wishes.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight)
}

/** The language that was chosen here; else the first of the browser's that there is; else English. */
export function localeOf(
  chosen: string | undefined,
  acceptLanguage: string | null | undefined,
): Locale {
  const known = findLocale(chosen)
  if (known) return known
  for (const { language } of wishesOf(acceptLanguage ?? '')) {
    if (language === '*') return LOCALES[0]
    const wished = findLocale(language)
    if (wished) return wished
  }
  return LOCALES[0]
}
