import type { Locale as OurLocale } from '@/lib/web/locales'
import type { Messages as OurMessages } from './catalog'

// Makes a key that no message has, and a language that we do not speak, a compile error.
declare module 'next-intl' {
  // An interface, because a declaration is merged here.
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions
  interface AppConfig {
    Locale: OurLocale
    Messages: OurMessages
  }
}
