import { expect, test } from 'vitest'
import type { AttemptKey } from '@/lib/domain/attempt'
import { attemptWords } from '@/lib/web/attempt-words'
import { entryWords } from '@/lib/web/credit-words'
import { acceptedAndReset, answering, errorBody, looking } from '@/test/fake-provider-server'
import { openWorld } from '@/test/world'
import { cancelAttempt } from './cancel-attempt'
import { readAttemptDetail } from './read-attempts'
import { reconcileAttempt } from './reconcile-attempt'

// What is said of the money equals the ledger at that moment, in every state that can be reached.

const world = openWorld()
const REASON = 'as a test has it'
const DEAR = { model: 'simulator/safelight', settings: { width: 1024, height: 1024, seed: 1 } }

const begin = async () => world().start(await world().openAccount(10), DEAR)
const stepped = async (times: number) => {
  const key = await begin()
  for (let time = 0; time < times; time += 1) await world().step(key)
  return key
}
const unresolved = () => {
  world().provider.answer('submit', acceptedAndReset)
  return stepped(1)
}
async function compensated(): Promise<AttemptKey> {
  const key = await unresolved()
  await reconcileAttempt(
    world().deps,
    key.id,
    { kind: 'compensate', reason: REASON },
    'operator:test',
  )
  return key
}

const ON_HOLD = { said: '4 credits are on hold.', available: 6, held: 4, spent: 0 }
const CHARGED = { said: 'Charged 4 credits.', available: 6, held: 0, spent: 4 }
const NOT_CHARGED = { said: 'You were not charged.', available: 10, held: 0, spent: 0 }
const GIVEN_BACK = {
  said: '4 credits given back by decision; the outcome is still open.',
  available: 10,
  held: 0,
  spent: 0,
}

test.each<readonly [string, string, () => Promise<AttemptKey>, typeof ON_HOLD]>([
  ['recorded', 'Queued', begin, ON_HOLD],
  ['taken by the provider', 'Generating', () => stepped(1), ON_HOLD],
  ['made and not fetched', 'Delivering', () => stepped(2), ON_HOLD],
  [
    'made and not to be stored',
    'Delivering',
    () => {
      world().provider.answer('image', answering(503))
      return stepped(3)
    },
    ON_HOLD,
  ],
  ['sent with its answer lost', 'Unresolved', unresolved, ON_HOLD],
  ['delivered', 'Delivered', () => stepped(3), CHARGED],
  [
    'refused',
    'Failed',
    () => {
      world().provider.answer('submit', answering(422, errorBody('content_policy')))
      return stepped(1)
    },
    NOT_CHARGED,
  ],
  [
    'failed at the provider',
    'Failed',
    () => {
      world().provider.answer('status', looking('failed'))
      return stepped(2)
    },
    NOT_CHARGED,
  ],
  [
    'cancelled before it was sent',
    'Failed',
    async () => {
      const key = await begin()
      await cancelAttempt(world().deps, key.accountId, key.id)
      return key
    },
    NOT_CHARGED,
  ],
  ['given back while nobody knew', 'Unresolved', compensated, GIVEN_BACK],
])('of what was %s it is said what the ledger says', async (_what, title, arrange, expected) => {
  const key = await arrange()
  const { said, ...balance } = expected
  const detail = await readAttemptDetail(world().deps, key.accountId, key.id)
  if (!detail) throw new Error('it is there')
  expect(attemptWords(detail.attempt)).toMatchObject({ title, money: said })
  expect(await world().balance(key.accountId)).toEqual(balance)

  const words = detail.entries.map(({ kind, amount }) => [entryWords[kind].word, amount])
  const end = { settled: 'Charged', released: 'Released', compensated: 'Compensated' }
  const { settlement } = detail.attempt
  expect(words).toEqual([['Hold', 4], ...(settlement ? [[end[settlement], 4]] : [])])
  // Nothing on the page speaks of a charge that is not in the ledger, or denies one that is.
  const page = JSON.stringify([attemptWords(detail.attempt), detail.history])
  expect(/\bCharged\b/.test(page)).toBe(settlement === 'settled')
  expect(/not charged/i.test(page)).toBe(settlement === 'released')
})

test('a wish to cancel what was sent promises nothing about the credits', async () => {
  world().provider.answer('status', looking('rendering'))
  const key = await stepped(1)
  const cancellation = await cancelAttempt(world().deps, key.accountId, key.id)
  expect(cancellation).toMatchObject({ cancelled: false, attempt: { settlement: null } })
  expect(cancellation && attemptWords(cancellation.attempt).money).toBe('4 credits are on hold.')
  expect(await world().balance(key.accountId)).toEqual({ available: 6, held: 4, spent: 0 })
})
