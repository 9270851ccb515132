import { getRequestConfig } from 'next-intl/server'
import { cookies, headers } from 'next/headers'
import { LANGUAGE_COOKIE, localeOf } from '@/lib/web/locales'
import { catalog } from '@/messages/catalog'

/** In which language one request is answered: no address says it, so every link is everybody's. */
export default getRequestConfig(async () => {
  const chosen = (await cookies()).get(LANGUAGE_COOKIE)?.value
  const locale = localeOf(chosen, (await headers()).get('accept-language'))
  // One zone for whoever forgets to name one, the same here and in the browser. Times are shown in the
  // reader's own zone by LocalTime.
  return { locale, messages: catalog[locale], timeZone: 'UTC' }
})
