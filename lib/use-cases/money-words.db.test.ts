import { describe, expect, test } from 'vitest'
import { beginSubmission } from '@/lib/db/attempt-store'
import type { AttemptKey, AttemptStateName, SettlementKind } from '@/lib/domain/attempt'
import { TaskId } from '@/lib/domain/ids'
import { attemptWords } from '@/lib/web/attempt-words'
import { creditWords, entryWords } from '@/lib/web/credit-words'
import { historyWords } from '@/lib/web/history-words'
import { LOCALES, type Locale } from '@/lib/web/locales'
import { acceptedAndReset, answering, errorBody, looking } from '@/test/fake-provider-server'
import { moneyVocabulary, wordsOf } from '@/test/words'
import { LEASE_MS, openWorld } from '@/test/world'
import { cancelAttempt } from './cancel-attempt'
import { readAttemptDetail } from './read-attempts'
import { readBalance } from './read-ledger'
import { reconcileAttempt } from './reconcile-attempt'
import { verifyForAdmins } from './verify-for-admins'
import { startAttempt } from './start-attempt'

// What is said of the money equals the ledger at that moment: in every state that can be reached, with
// every settlement, for credits and for free images, in every language.

const world = openWorld()
const REASON = 'as a test has it'
const DEAR = { model: 'simulator/safelight', settings: { width: 1024, height: 1024, seed: 1 } }
const PRICE = 4
const CREDITS = 10

type Funding = 'credits' | 'allowance'
type Arranged = { readonly key: AttemptKey; readonly funding: Funding }

const depsFor = (funding: Funding) => ({
  ...world().deps,
  dailyAllowance: funding === 'allowance' ? 1 : 0,
})

async function begin(funding: Funding): Promise<AttemptKey> {
  const accountId = await world().openAccount(CREDITS)
  const input = { requestId: crypto.randomUUID(), prompt: 'a quiet lake', ...DEAR }
  const started = await startAttempt(depsFor(funding), accountId, input)
  if (!started.ok) throw new Error(JSON.stringify(started.refusal))
  expect(started.value.attempt.reserved).toBe(funding)
  return { id: started.value.attempt.id, accountId }
}

async function stepped(key: AttemptKey, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await world().step(key)
}

const reconcile = (key: AttemptKey, act: Parameters<typeof reconcileAttempt>[2]) =>
  reconcileAttempt(world().deps, key.id, act, 'operator:test')

async function unresolved(key: AttemptKey): Promise<void> {
  world().provider.answer('submit', acceptedAndReset)
  await stepped(key, 1)
}

async function compensated(key: AttemptKey): Promise<void> {
  await unresolved(key)
  await reconcile(key, { kind: 'compensate', reason: REASON })
}

/** Given back, and afterwards found at the provider. */
async function compensatedAndFound(key: AttemptKey): Promise<void> {
  await compensated(key)
  const taskId = TaskId.parse(world().provider.taskIdOf(key.id))
  await reconcile(key, { kind: 'attach-task', taskId, reason: REASON })
  await verifyForAdmins(world().deps)
}

type Case = {
  readonly what: string
  readonly state: AttemptStateName
  readonly settlement: SettlementKind | null
  readonly arrange: (key: AttemptKey) => Promise<unknown>
}

const cases: readonly Case[] = [
  { what: 'recorded', state: 'initializing', settlement: null, arrange: () => Promise.resolve() },
  {
    what: 'being sent',
    state: 'submitting',
    settlement: null,
    arrange: async (key) => {
      const claimed = await world().claimOne(key)
      await beginSubmission(world().db, claimed, LEASE_MS, 'worker:test')
    },
  },
  {
    what: 'taken by the provider',
    state: 'pending',
    settlement: null,
    arrange: (key) => stepped(key, 1),
  },
  {
    what: 'sent with its answer lost',
    state: 'status_unknown',
    settlement: null,
    arrange: unresolved,
  },
  {
    what: 'made and not fetched',
    state: 'delivering',
    settlement: null,
    arrange: (key) => stepped(key, 2),
  },
  {
    what: 'made and not to be fetched',
    state: 'storage_failed',
    settlement: null,
    arrange: (key) => {
      world().provider.answer('image', answering(503))
      return stepped(key, 3)
    },
  },
  {
    what: 'delivered',
    state: 'completed',
    settlement: 'settled',
    arrange: (key) => stepped(key, 3),
  },
  {
    what: 'refused',
    state: 'failed',
    settlement: 'released',
    arrange: (key) => {
      world().provider.answer('submit', answering(422, errorBody('content_policy')))
      return stepped(key, 1)
    },
  },
  {
    what: 'failed at the provider',
    state: 'failed',
    settlement: 'released',
    arrange: (key) => {
      world().provider.answer('status', looking('failed'))
      return stepped(key, 2)
    },
  },
  {
    what: 'cancelled before it was sent',
    state: 'failed',
    settlement: 'released',
    arrange: (key) => cancelAttempt(world().deps, key.accountId, key.id),
  },
  {
    what: 'given back while nobody knew',
    state: 'status_unknown',
    settlement: 'compensated',
    arrange: compensated,
  },
  {
    what: 'given back and found',
    state: 'pending',
    settlement: 'compensated',
    arrange: compensatedAndFound,
  },
  {
    what: 'given back and made',
    state: 'delivering',
    settlement: 'compensated',
    arrange: async (key) => {
      await compensatedAndFound(key)
      await stepped(key, 1)
    },
  },
  {
    what: 'given back, made and not to be fetched',
    state: 'storage_failed',
    settlement: 'compensated',
    arrange: async (key) => {
      await compensatedAndFound(key)
      world().provider.answer('image', answering(503))
      await stepped(key, 2)
    },
  },
  {
    what: 'given back and delivered',
    state: 'completed',
    settlement: 'compensated',
    arrange: async (key) => {
      await compensatedAndFound(key)
      await stepped(key, 2)
    },
  },
  {
    what: 'given back and failed',
    state: 'failed',
    settlement: 'compensated',
    arrange: async (key) => {
      await compensatedAndFound(key)
      world().provider.answer('status', looking('failed'))
      await stepped(key, 1)
    },
  },
]

/** Where the credits, and the free image of the day, are once a settlement stands. */
function ledgerAfter(settlement: SettlementKind | null, funding: Funding) {
  const amount = { null: [1, 0], settled: [0, 1], released: [0, 0], compensated: [0, 0] }
  const [held = 0, spent = 0] = amount[settlement ?? 'null']
  const price = funding === 'credits' ? PRICE : 0
  return {
    available: CREDITS - (held + spent) * price,
    held: held * price,
    spent: spent * price,
    allowance: funding === 'allowance' ? { held, delivered: spent } : { held: 0, delivered: 0 },
  }
}

const END = { settled: 'settled', released: 'released', compensated: 'compensated' } as const

/** Every sentence of one attempt's page, each checked against what the settlement allows to be said. */
function expectTrue(
  detail: NonNullable<Awaited<ReturnType<typeof readAttemptDetail>>>,
  { key: { id }, funding }: Arranged,
  locale: Locale,
): void {
  const say = wordsOf(locale)
  const { attempt, history, entries } = detail
  expect(attempt.id).toBe(id)
  const { settlement, price } = attempt
  const words = attemptWords(attempt)
  const money = say(words.money)
  const { onHold, charged, notCharged, givenBack } = moneyVocabulary[locale]
  expect(onHold.test(money), money).toBe(settlement === null)
  expect(charged.test(money), money).toBe(settlement === 'settled')
  expect(notCharged.test(money), money).toBe(settlement === 'released')
  expect(givenBack.test(money), money).toBe(settlement === 'compensated')
  // The amount is the ledger's, and a free image is never spoken of in credits.
  const namesCredits = money.includes(say(creditWords(price)).split(' ')[0] ?? '')
  if (funding === 'credits' && (settlement === null || settlement === 'settled')) {
    expect(namesCredits, money).toBe(true)
  }
  if (funding === 'allowance') expect(money).not.toMatch(/credits?\b|[^何]クレジット/i)

  // Nothing else on the page says that it was charged, or that it was not.
  const others = [words.title, words.text, words.next, words.cancel]
    .flatMap((one) => (one ? [say(one)] : []))
    .concat(history.map(({ kind }) => say(historyWords(kind))))
  for (const sentence of others) {
    expect(sentence).not.toMatch(charged)
    if (settlement !== 'released') expect(sentence).not.toMatch(notCharged)
  }
  const lines = entries.map(({ kind, amount }) => [say(entryWords(kind).word), amount])
  const line = (kind: 'reserved' | SettlementKind) => [say(entryWords(kind).word), PRICE]
  expect(lines).toEqual(
    funding === 'allowance'
      ? []
      : [line('reserved'), ...(settlement ? [line(END[settlement])] : [])],
  )
}

describe.each(['credits', 'allowance'] as const)('paid with %s', (funding) => {
  test.each(cases)(
    'of what was $what ($state, $settlement) it is said what the ledger says, in every language',
    async ({ state, settlement, arrange }) => {
      const key = await begin(funding)
      await arrange(key)
      const { available, held, spent, allowance } = await readBalance(
        depsFor(funding),
        key.accountId,
      )
      expect({ available, held, spent, allowance }).toMatchObject(ledgerAfter(settlement, funding))
      const detail = await readAttemptDetail(depsFor(funding), key.accountId, key.id)
      if (!detail) throw new Error('it is there')
      expect(detail.attempt).toMatchObject({ state, settlement })
      for (const locale of LOCALES) expectTrue(detail, { key, funding }, locale)
    },
  )

  test('a wish to cancel what was sent promises nothing about the money', async () => {
    world().provider.answer('status', looking('rendering'))
    const key = await begin(funding)
    await stepped(key, 1)
    const cancellation = await cancelAttempt(world().deps, key.accountId, key.id)
    expect(cancellation).toMatchObject({ cancelled: false, attempt: { settlement: null } })
    const detail = await readAttemptDetail(depsFor(funding), key.accountId, key.id)
    if (!detail) throw new Error('it is there')
    expect(detail.attempt.cancel_requested).toBe(true)
    for (const locale of LOCALES) expectTrue(detail, { key, funding }, locale)
  })
})

test('every settlement is seen in every state in which it can stand', () => {
  const seen = new Set(cases.map(({ state, settlement }) => `${state} ${settlement ?? 'held'}`))
  expect([...seen].sort()).toEqual([
    'completed compensated',
    'completed settled',
    'delivering compensated',
    'delivering held',
    'failed compensated',
    'failed released',
    'initializing held',
    'pending compensated',
    'pending held',
    'status_unknown compensated',
    'status_unknown held',
    'storage_failed compensated',
    'storage_failed held',
    'submitting held',
  ])
})
