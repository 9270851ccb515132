import { expect, test } from 'vitest'
import { currencyDigits, Packs } from './pack'

const pack = { id: 's', name: 'Small', credits: 100, amount: 500, currency: 'eur' }

test('packs are what an operator writes', () => {
  expect(Packs.parse([pack, { ...pack, id: 'm' }])).toHaveLength(2)
})

test.each([
  ['no list', pack, [], 'expected a list of packs'],
  ['nothing', [], [], 'expected at least one pack'],
  ['one id twice', [pack, pack], [], 'expected a different id for each pack'],
  ['no credits', [{ ...pack, credits: 0 }], [0, 'credits'], /whole number of credits/],
  ['half a credit', [{ ...pack, credits: 0.5 }], [0, 'credits'], /whole number of credits/],
  ['more credits than an account holds', [{ ...pack, credits: 2e6 }], [0, 'credits'], /1000000$/],
  ['a price in cents and more', [{ ...pack, amount: 4.99 }], [0, 'amount'], /smallest units/],
  ['no price', [{ ...pack, amount: 0 }], [0, 'amount'], /smallest units/],
  ['a currency that counts otherwise', [{ ...pack, currency: 'kwd' }], [0, 'currency'], /currency/],
  ['a currency in capitals', [{ ...pack, currency: 'EUR' }], [0, 'currency'], /currency/],
  ['a name of spaces', [{ ...pack, name: '  ' }], [0, 'name'], 'expected a name'],
  ['an id of words', [{ ...pack, id: 'The big one' }], [0, 'id'], /lower-case/],
])('packs with %s are refused, and the field is named', (_what, input, path, message) => {
  const issue = Packs.safeParse(input).error?.issues[0]
  expect(issue?.path).toEqual(path)
  expect(issue?.message).toMatch(message)
})

test('a pack with a member of its own is refused', () => {
  expect(Packs.safeParse([{ ...pack, discount: 5 }]).success).toBe(false)
})

test.each(Object.entries(currencyDigits))('%s has as many digits as elsewhere', (code, digits) => {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: code,
  }).resolvedOptions()
  expect(maximumFractionDigits).toBe(digits)
})
