'use server'

import { cookies } from 'next/headers'
import { environment } from '@/lib/env'
import { LANGUAGE_COOKIE, LANGUAGE_COOKIE_SECONDS, findLocale } from '@/lib/web/locales'

/** Open to everybody: it changes nothing but the language of the browser that asks. */
export async function chooseLanguageAction(input: unknown): Promise<void> {
  const locale = findLocale(input)
  if (!locale) return
  const jar = await cookies()
  jar.set(LANGUAGE_COOKIE, locale, {
    httpOnly: true,
    sameSite: 'lax',
    secure: environment().APP_URL.startsWith('https:'),
    maxAge: LANGUAGE_COOKIE_SECONDS,
    path: '/',
  })
}
