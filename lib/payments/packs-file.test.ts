import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { paymentsOf } from '@/lib/deps'
import { parseEnvironment } from '@/lib/env'
import { standardPacks } from './standard-packs'

const folder = mkdtempSync(join(tmpdir(), 'darkroom-packs-'))
afterAll(() => rmSync(folder, { recursive: true }))

const environment = (changed: Readonly<Record<string, string>>) =>
  parseEnvironment({
    DATABASE_URL: 'postgresql://localhost/x',
    AUTH_SECRET: 'x'.repeat(32),
    SIMULATOR: 'off',
    ...changed,
  })
const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' }

function fileOf(text: string): string {
  const file = join(folder, 'packs.json')
  writeFileSync(file, text)
  return file
}

test('nothing is sold without Stripe, and the standard packs where no file names others', () => {
  expect(paymentsOf(environment({}))).toBeUndefined()
  expect(paymentsOf(environment(STRIPE))?.packs).toEqual(standardPacks)
})

test('what the file names is sold', () => {
  const packs = [{ id: 'one', name: 'One', credits: 1, amount: 100, currency: 'usd' }]
  const CREDIT_PACKS = fileOf(JSON.stringify(packs))
  expect(paymentsOf(environment({ ...STRIPE, CREDIT_PACKS }))?.packs).toEqual(packs)
})

test.each([
  ['{', /CREDIT_PACKS: .*packs\.json: expected a list of packs/],
  ['[{"id":"s","name":"S","credits":0,"amount":5,"currency":"eur"}]', /packs\.json: 0: credits: /],
])('a file that says %s stops the start, sold or not', (text, message) => {
  const CREDIT_PACKS = fileOf(text)
  expect(() => paymentsOf(environment({ CREDIT_PACKS }))).toThrow(message)
})

test('a file that is not there is named', () => {
  const CREDIT_PACKS = join(folder, 'none.json')
  expect(() => paymentsOf(environment({ CREDIT_PACKS }))).toThrow(/^CREDIT_PACKS: .*none\.json/)
})
