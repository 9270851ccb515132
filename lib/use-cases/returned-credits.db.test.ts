import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AttemptKey } from '@/lib/domain/attempt'
import type { AccountId } from '@/lib/domain/ids'
import { entryWords } from '@/lib/web/credit-words'
import {
  accepted,
  acceptedAndReset,
  answering,
  errorBody,
  looking,
  type Behaviour,
} from '@/test/fake-provider-server'
import { wordsOf } from '@/test/words'
import { openWorld } from '@/test/world'
import { readBalance, readStatement } from './read-ledger'

// What a failure leaves of somebody's credits: everything, and the lines that say so.

const world = openWorld()
const CREDITS = 10

const begin = async () => world().start(await world().openAccount(CREDITS))

const linesOf = async (accountId: AccountId) =>
  (await readStatement(world().deps, accountId, { limit: 20 })).data.map(
    ({ kind, amount, available_after: after }) => [
      wordsOf('en')(entryWords(kind).word),
      amount,
      after,
    ],
  )

test.each<readonly [string, Behaviour]>([
  ['was busy', answering(429)],
  ['refused the content', answering(400, errorBody('content_policy'))],
  ['refused the input', answering(422, errorBody('invalid_input'))],
])('a provider that %s leaves a hold and its release, and nothing spent', async (_what, answer) => {
  world().provider.answer('submit', answer)
  const key = await begin()
  await world().runToQuiet(key)
  expect(await linesOf(key.accountId)).toEqual([
    ['Released', 1, 10],
    ['Hold', 1, 9],
    ['Granted', 10, 10],
  ])
  expect(await world().balance(key.accountId)).toEqual({ available: 10, held: 0, spent: 0 })
})

test('a provider that answers 503 leaves a hold, for nobody knows what it made', async () => {
  world().provider.answer('submit', answering(503))
  const key = await begin()
  await world().runToQuiet(key, { lease: true })
  expect(await linesOf(key.accountId)).toEqual([
    ['Hold', 1, 9],
    ['Granted', 10, 10],
  ])
})

test('a hold never looks like a charge: what was granted is there in three numbers at every step', async () => {
  const key = await begin()
  const seen: unknown[] = []
  for (let step = 0; step < 4; step += 1) {
    const { granted, available, held, spent } = await readBalance(world().deps, key.accountId)
    seen.push([granted, available, held, spent])
    await world().step(key)
  }
  expect(seen).toEqual([
    [10, 9, 1, 0],
    [10, 9, 1, 0],
    [10, 9, 1, 0],
    [10, 9, 0, 1],
  ])
})

// Whatever goes wrong on the way, in whatever order.

const trouble: Readonly<Record<'submit' | 'status' | 'image', readonly Behaviour[]>> = {
  submit: [
    answering(429),
    answering(400, errorBody('invalid_input')),
    answering(422, errorBody('content_policy')),
    answering(400, errorBody('something_new')),
    answering(429, {}, { 'retry-after': '3600' }),
    answering(503),
    acceptedAndReset,
  ],
  status: [
    looking('rendering'),
    looking('failed'),
    looking('cancelled'),
    answering(503),
    answering(404),
    answering(200, '<html>'),
  ],
  image: [answering(503), answering(200, 'no image'), ({ socket }) => void socket.destroy()],
}

const life = fc.record({
  submit: fc.array(fc.constantFrom(...trouble.submit), { maxLength: 3 }),
  status: fc.array(fc.constantFrom(...trouble.status), { maxLength: 4 }),
  image: fc.array(fc.constantFrom(...trouble.image), { maxLength: 4 }),
  // Whether in the end everything is well, or the last trouble stays.
  mends: fc.boolean(),
})
type Life = typeof life extends fc.Arbitrary<infer Value> ? Value : never

function arrange({ mends, ...answers }: Life): void {
  const { provider } = world()
  provider.reset()
  for (const route of ['submit', 'status', 'image'] as const) {
    const well = route === 'submit' ? accepted : provider.usual[route]
    provider.answer(
      route,
      ...answers[route],
      ...(mends || answers[route].length === 0 ? [well] : []),
    )
  }
}

const sumOf = async ({ id }: AttemptKey) => {
  const [row] = await world().rows(
    `select coalesce(sum(available_delta(kind, amount)), 0)::int as available,
            coalesce(sum(held_delta(kind, amount)), 0)::int as held,
            coalesce(sum(spent_delta(kind, amount)), 0)::int as spent
     from ledger_entry where attempt_id = $1`,
    id,
  )
  return row
}

test('every failure, by whatever way it came about, returns the balance to where it began', async () => {
  const ends = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(life, async (given) => {
      arrange(given)
      const key = await begin()
      for (let round = 0; round < 3; round += 1) await world().runToQuiet(key, { lease: true })
      const { state, failure_code: code } = await world().attempt(key)
      ends.set(code ?? state, (ends.get(code ?? state) ?? 0) + 1)

      const left = { available: -1, held: 1, spent: 0 }
      const sums = {
        failed: { available: 0, held: 0, spent: 0 },
        completed: { available: -1, held: 0, spent: 1 },
      }
      expect(await sumOf(key)).toEqual(
        state === 'failed' || state === 'completed' ? sums[state] : left,
      )
      expect(world().provider.tasksOf(key.id)).toBeLessThanOrEqual(1)
    }),
    { numRuns: Number(process.env['FC_RUNS'] ?? 60), endOnFailure: true },
  )
  // The draw was not all of one kind.
  expect(ends.size).toBeGreaterThanOrEqual(4)
})
