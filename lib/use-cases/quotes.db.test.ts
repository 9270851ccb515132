import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { AccountId } from '@/lib/domain/ids'
import { generation } from '@/test/factories'
import { openWorld } from '@/test/world'
import { startAttempt } from './start-attempt'

// What the button said is what is agreed to: nothing is held beyond it.

const world = openWorld()

const start = (accountId: AccountId, input: object, changed: object = {}) =>
  startAttempt({ ...world().deps, ...changed }, accountId, {
    requestId: randomUUID(),
    ...generation,
    ...input,
  })
const dearer = () => ({
  models: world().deps.models.map((model) => ({ ...model, priceCredits: 9 })),
})
const holdsOf = (accountId: AccountId) =>
  world().rows(
    `select amount from ledger_entry where account_id = $1 and kind = 'reserved'`,
    accountId,
  )

test('a price that rose between the page and the press is refused with the new one, and nothing is held', async () => {
  const accountId = await world().openAccount(100)
  const refused = await start(accountId, { quotedCredits: 2 }, dearer())
  expect(refused).toEqual({
    ok: false,
    refusal: { code: 'price-changed', quoted: 2, required: 9 },
  })
  expect(await holdsOf(accountId)).toEqual([])
  const agreed = await start(accountId, { quotedCredits: 9 }, dearer())
  expect(agreed).toMatchObject({ ok: true, value: { attempt: { price: 9 } } })
})

test('a price that fell is no surprise', async () => {
  const accountId = await world().openAccount(100)
  expect(await start(accountId, { quotedCredits: 50 })).toMatchObject({ ok: true })
})

test('what was recorded is answered whatever it would cost now', async () => {
  const accountId = await world().openAccount(100)
  const input = { requestId: randomUUID(), quotedCredits: 4 }
  const first = await start(accountId, input)
  const again = await start(accountId, input, dearer())
  expect(first).toMatchObject({ ok: true, value: { replayed: false } })
  expect(again).toMatchObject({ ok: true, value: { replayed: true } })
  const requoted = await start(accountId, { ...input, quotedCredits: 9 })
  expect(requoted).toMatchObject({ ok: true, value: { replayed: true } })
})

test('of 50 presses on one free image one is free, and the others take no credit unasked', async () => {
  const accountId = await world().openAccount(1_000)
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => start(accountId, { quotedCredits: 0 }, { dailyAllowance: 1 })),
  )
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
  const codes = answers.flatMap((answer) => (answer.ok ? [] : [answer.refusal.code]))
  expect(new Set(codes)).toEqual(new Set(['price-changed']))
  expect(await holdsOf(accountId)).toEqual([])
})

test.each([
  ['half a credit', 0.5, /whole number/],
  ['less than nothing', -1, /0 or more/],
  ['more than there is', 1_000_001, /at most/],
])('a quote of %s is no quote', async (_what, quotedCredits, words) => {
  const accountId = await world().openAccount(100)
  const refused = await start(accountId, { quotedCredits })
  expect(refused).toMatchObject({
    ok: false,
    refusal: { code: 'invalid-input', fields: [{ field: 'quotedCredits' }] },
  })
  expect(JSON.stringify(refused)).toMatch(words)
})
