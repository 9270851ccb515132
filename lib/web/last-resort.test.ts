import { expect, test } from 'vitest'
import { catalog } from '@/messages/catalog'
import { lastResort } from './last-resort'
import { LOCALES } from './locales'

test.each(LOCALES)('what is said in %s without messages is what they say', (locale) => {
  expect(lastResort[locale]).toEqual(catalog[locale].common.error)
})
