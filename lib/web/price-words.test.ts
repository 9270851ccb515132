import { expect, test } from 'vitest'
import { priceText } from './price-words'

test.each([
  [500, 'eur', 'en', '€5.00'],
  [123_456, 'eur', 'de', '1.234,56 €'],
  [500, 'jpy', 'ja', '￥500'],
  [1, 'usd', 'en', '$0.01'],
  [99_999_999, 'gbp', 'en', '£999,999.99'],
] as const)('%d of %s reads in %s as %s', (amount, currency, locale, text) => {
  expect(priceText(amount, currency, locale).replaceAll('\u00a0', ' ')).toBe(text)
})
