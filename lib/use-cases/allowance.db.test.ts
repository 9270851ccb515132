import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { AccountId } from '@/lib/domain/ids'
import { attemptWords } from '@/lib/web/attempt-words'
import { localTimeWords } from '@/lib/web/time-words'
import { at, atMoment, DAY } from '@/test/clock'
import { generation } from '@/test/factories'
import {
  acceptedAndReset,
  answering,
  errorBody,
  looking,
  type Behaviour,
} from '@/test/fake-provider-server'
import { wordsOf } from '@/test/words'
import { openWorld } from '@/test/world'
import type { Deps } from './deps'
import { readAttempt } from './read-attempts'
import { readBalance } from './read-ledger'
import { startAttempt } from './start-attempt'

// The free images of a UTC day: when they come, where they go, and when they come back.

const world = openWorld()
const LIMIT = 1

const start = (accountId: AccountId, { db }: Pick<Deps, 'db'> = world().deps) =>
  startAttempt({ ...world().deps, db, dailyAllowance: LIMIT }, accountId, {
    requestId: randomUUID(),
    ...generation,
  })

const allowanceOf = async (accountId: AccountId, { db }: Pick<Deps, 'db'> = world().deps) =>
  (await readBalance({ ...world().deps, db, dailyAllowance: LIMIT }, accountId)).allowance

test('a day later the free images are back, without anybody having done anything', async () => {
  const accountId = await world().openAccount(0)
  expect((await start(accountId)).ok).toBe(true)
  expect(await allowanceOf(accountId)).toMatchObject({ held: 1, remaining: 0 })
  await at(world(), DAY, async (deps) => {
    expect(await allowanceOf(accountId, deps)).toMatchObject({
      held: 0,
      delivered: 0,
      remaining: LIMIT,
    })
    expect((await start(accountId, deps)).ok).toBe(true)
  })
})

const ended: readonly (readonly [string, Partial<Record<'submit' | 'status', Behaviour>>])[] = [
  ['refused for its content', { submit: answering(422, errorBody('content_policy')) }],
  ['refused for its input', { submit: answering(400, errorBody('invalid_input')) }],
  ['never taken, because the provider was busy', { submit: answering(429) }],
  ['failed at the provider', { status: looking('failed') }],
]

test.each(ended)('a free image that was %s is back on its day', async (_how, answers) => {
  for (const route of ['submit', 'status'] as const) {
    const answer = answers[route]
    if (answer) world().provider.answer(route, answer)
  }
  const accountId = await world().openAccount(0)
  const started = await start(accountId)
  await world().runToQuiet(await world().keyOf(started.ok ? started.value.attempt.id : ''))

  expect(await allowanceOf(accountId)).toMatchObject({ held: 0, delivered: 0, remaining: LIMIT })
  const [attempt] = await world().rows('select id from attempt where account_id = $1', accountId)
  const view = await readAttempt(world().deps, accountId, String(attempt?.['id']))
  expect(view && wordsOf('en')(attemptWords(view).money)).toBe(
    'You were not charged. The free image is back.',
  )
})

test.each<readonly [string, Behaviour]>([
  ['whose answer was lost', acceptedAndReset],
  ['whose provider answered 503', answering(503)],
])('a free image %s stays on hold, and is said to', async (_what, answer) => {
  world().provider.answer('submit', answer)
  const accountId = await world().openAccount(0)
  const started = await start(accountId)
  const key = await world().keyOf(started.ok ? started.value.attempt.id : '')
  await world().runToQuiet(key, { lease: true })

  expect(await allowanceOf(accountId)).toMatchObject({ held: 1, delivered: 0, remaining: 0 })
  const view = await readAttempt(world().deps, accountId, key.id)
  expect(view && wordsOf('en')(attemptWords(view).title)).toBe('Unresolved')
  expect(view && wordsOf('en')(attemptWords(view).money)).toBe('1 free image is on hold.')
  expect(await start(accountId)).toMatchObject({
    ok: false,
    refusal: { code: 'insufficient-credits' },
  })
})

// Days that are 23 or 25 hours long where somebody lives are days like others to the database.
test.each([
  ['Europe/Berlin', '2027-03-28', 23, '2027-03-27T23:00:00Z'],
  ['Europe/Berlin', '2027-10-31', 25, '2027-10-30T22:00:00Z'],
  ['America/New_York', '2027-03-14', 23, '2027-03-14T05:00:00Z'],
  ['America/New_York', '2027-11-07', 25, '2027-11-07T04:00:00Z'],
])(
  'in %s the %s of %d hours brings new free images once, when it was said',
  async (timeZone, localDay, hours, begins) => {
    const accountId = await world().openAccount(0)
    const said = new Set<string>()
    let started = 0
    const localDayOf = (moment: string) =>
      localTimeWords(moment, { locale: 'en', timeZone }).split(',')[0]
    for (let hour = 0; hour < hours; hour += 1) {
      const moment = new Date(Date.parse(begins) + hour * 3_600_000 + 60_000).toISOString()
      expect(localDayOf(moment), moment).toBe(localDayOf(`${localDay}T16:00:00Z`))
      await atMoment(world(), moment, async (deps) => {
        const { resets_at: resetsAt } = await allowanceOf(accountId, deps)
        if (localDayOf(resetsAt) === localDayOf(moment)) said.add(resetsAt)
        if ((await start(accountId, deps)).ok) started += 1
      })
    }
    expect(said.size).toBe(1)
    // The free image of the UTC day that it begins in, and that of the one that begins in it.
    expect(started).toBe(2)
    const days = await world().rows(
      `select day::text || 'T00:00:00.000Z' as begins from allowance_day where account_id = $1 order by day`,
      accountId,
    )
    expect(days.at(-1)).toEqual({ begins: [...said][0] })
  },
)
