import type { Locale } from '@/lib/web/locales'
import { de } from './de'
import { en } from './en'
import { ja } from './ja'

/** English is the measure: every language says everything that it says. */
export type Messages = typeof en

export const catalog: Record<Locale, Messages> = { en, de, ja }
