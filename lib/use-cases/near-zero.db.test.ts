import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { AccountId } from '@/lib/domain/ids'
import { at, DAY, SECOND } from '@/test/clock'
import { generation } from '@/test/factories'
import { openWorld } from '@/test/world'
import type { Deps } from './deps'
import { readBalance } from './read-ledger'
import { startAttempt } from './start-attempt'

// Where there is almost nothing left, clicks that come together share it, and not one unit more.

const world = openWorld()

const CHEAP = generation
const DEAR = { model: 'simulator/safelight', settings: { width: 1024, height: 1024, seed: 1 } }
const PRICE = { cheap: 1, dear: 4 }
type Kind = keyof typeof PRICE

/** Clicks at the same moment, each with an id of its own. */
async function click(
  accountId: AccountId,
  kinds: readonly Kind[],
  by: Partial<Deps> = {},
): Promise<readonly { readonly kind: Kind; readonly id?: string; readonly refusal?: string }[]> {
  return Promise.all(
    kinds.map(async (kind) => {
      const input = { ...CHEAP, ...(kind === 'dear' && DEAR), requestId: randomUUID() }
      const answer = await startAttempt({ ...world().deps, ...by }, accountId, input)
      return answer.ok
        ? { kind, id: answer.value.attempt.id }
        : { kind, refusal: answer.refusal.code }
    }),
  )
}

const times = (count: number, kind: Kind = 'cheap') => Array.from({ length: count }, () => kind)

test.each([1, 2, 10, 50])(
  'of %d clicks at once one credit buys one image, and the provider is asked for one',
  async (count) => {
    const accountId = await world().openAccount(1)
    const answers = await click(accountId, times(count))
    const ids = answers.flatMap(({ id }) => id ?? [])
    expect(ids).toHaveLength(1)
    expect(answers.flatMap(({ refusal }) => refusal ?? [])).toEqual(
      Array(count - 1).fill('insufficient-credits'),
    )
    for (const id of ids) await world().runToQuiet(await world().keyOf(id))
    expect(world().provider.posts()).toBe(1)
    expect(await world().balance(accountId)).toEqual({ available: 0, held: 0, spent: 1 })
  },
)

test('without a credit nothing is recorded, and no provider hears of it', async () => {
  const accountId = await world().openAccount(0)
  expect(await click(accountId, times(2))).toMatchObject([
    { refusal: 'insufficient-credits' },
    { refusal: 'insufficient-credits' },
  ])
  expect(await world().rows('select from attempt where account_id = $1', accountId)).toEqual([])
  expect(await world().rows('select from ledger_entry where account_id = $1', accountId)).toEqual(
    [],
  )
  expect(world().provider.posts()).toBe(0)
})

test.each([1, 4, 5, 11])(
  'clicks of several prices at once share %d credits: none below nothing, none left that would do',
  async (credits) => {
    const accountId = await world().openAccount(credits)
    const answers = await click(accountId, [...times(15, 'dear'), ...times(15, 'cheap')])
    const held = answers.reduce((sum, { kind, id }) => sum + (id ? PRICE[kind] : 0), 0)
    expect(await world().balance(accountId)).toEqual({ available: credits - held, held, spent: 0 })
    const refused = new Set(answers.flatMap(({ kind, refusal }) => (refusal ? kind : [])))
    for (const kind of refused) expect(credits - held).toBeLessThan(PRICE[kind])
  },
)

test('one free image and one credit are two images at most, whatever they cost', async () => {
  const accountId = await world().openAccount(1)
  const kinds = [...times(10, 'dear'), ...times(10, 'cheap')]
  const answers = await click(accountId, kinds, { dailyAllowance: 1 })
  const started = answers.filter(({ id }) => id !== undefined)
  // The free image may be a dear one; the credit pays for a cheap one only.
  expect(started).toHaveLength(2)
  expect(started.some(({ kind }) => kind === 'cheap')).toBe(true)
  expect(await world().balance(accountId)).toEqual({ available: 0, held: 1, spent: 0 })
  expect(
    await world().rows('select held from allowance_day where account_id = $1', accountId),
  ).toEqual([{ held: 1 }])
})

/** How long it is until a UTC day begins that is so many days from now. */
function untilDay(days: number): number {
  const now = new Date()
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + days) - now.getTime()
}

test.each([
  [20, 1],
  [50, 5],
])(
  '%d clicks in the first second of a day get that day’s %d free images, once',
  async (count, limit) => {
    const accountId = await world().openAccount(0)
    const by = { dailyAllowance: limit }
    expect((await click(accountId, times(limit), by)).every(({ id }) => id !== undefined)).toBe(
      true,
    )
    expect(await click(accountId, times(1), by)).toMatchObject([
      { refusal: 'insufficient-credits' },
    ])

    await at(world(), untilDay(1) + SECOND, async (deps) => {
      const answers = await click(accountId, times(count), { ...by, db: deps.db })
      expect(answers.filter(({ id }) => id !== undefined)).toHaveLength(limit)
      const { allowance } = await readBalance({ ...deps, ...by }, accountId)
      expect(allowance).toMatchObject({ limit, held: limit, remaining: 0 })
    })
    const days = await world().rows(
      'select held, delivered from allowance_day where account_id = $1 order by day',
      accountId,
    )
    expect(days).toEqual([
      { held: limit, delivered: 0 },
      { held: limit, delivered: 0 },
    ])
  },
)

test('a day whose free images were not used leaves none to the next', async () => {
  const accountId = await world().openAccount(0)
  const by = { dailyAllowance: 2 }
  await at(world(), 3 * DAY, async ({ db }) => {
    const answers = await click(accountId, times(5), { ...by, db })
    expect(answers.filter(({ id }) => id !== undefined)).toHaveLength(2)
  })
})
