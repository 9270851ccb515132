import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  circumstances,
  everySituation,
  evidence,
  failure,
  image,
  otherTaskId,
  result,
  statesNotCovered,
  taskId,
  type Situation,
} from '@/test/factories'
import { isFinal, type AttemptState } from './attempt'
import { decide } from './decide'
import type { Circumstances, Decision, News } from './decision'

type Recorded = Extract<Decision, { kind: 'record' }>

const decided = everySituation.map((situation) => ({
  ...situation,
  decision: decide(situation.state, situation.news, situation.given),
}))
const records = decided.flatMap(({ decision, ...situation }) =>
  decision.kind === 'record' ? [{ ...situation, record: decision }] : [],
)

/** Shown when a rule is broken: the first few situations that break it. */
const offences = <Item extends Situation>(
  items: readonly Item[],
  breaks: (item: Item) => boolean,
) => items.filter(breaks).slice(0, 3)

test('the enumeration has every state', () => {
  expect(statesNotCovered).toEqual([])
  expect(everySituation.length).toBeGreaterThan(2_000)
})

test('only proof ends an attempt as failed', () => {
  const proves = ({ state, news, given }: Situation) => {
    switch (news.kind) {
      case 'submission':
        return news.send === given.sends && /^(rejected|failed)/.test(news.outcome.kind)
      case 'repeat':
        return news.outcome.kind === 'failed'
      case 'cancelling':
        return news.outcome.kind === 'cancelled'
      case 'observation':
        return news.observation.kind === 'failed'
      case 'delivery':
        return news.outcome.kind === 'unusable' && given.lastEvidence['times'] === 2
      case 'cancel-requested':
      case 'unsendable':
        return state.state === 'initializing'
      case 'submission-lost':
      case 'task-reported':
      case 'lookup':
        return false
    }
  }
  expect(offences(records, (item) => item.record.to === 'failed' && !proves(item))).toEqual([])
})

test('only a stored image completes an attempt', () => {
  const stored = ({ news }: Situation) => news.kind === 'delivery' && news.outcome.kind === 'stored'
  expect(offences(records, (item) => (item.record.to === 'completed') !== stored(item))).toEqual([])
})

test('an attempt goes back to be sent again only on proof that its POST created nothing', () => {
  const proved = ({ state, news, given }: Situation) =>
    state.state === 'submitting' &&
    news.kind === 'submission' &&
    news.outcome.kind === 'rejected-for-now' &&
    news.send === given.sends
  expect(offences(records, (item) => item.record.to === 'initializing' && !proved(item))).toEqual(
    [],
  )
})

test('a decision never leads to submitting: only a committed intent does', () => {
  expect(offences(records, ({ record }) => record.to === 'submitting')).toEqual([])
})

test('a final state never moves', () => {
  expect(offences(records, ({ state }) => isFinal(state.state))).toEqual([])
})

test('money moves with the end of an attempt and never otherwise', () => {
  const expected = { completed: 'settled', failed: 'released' } as const
  const wrong = ({ record }: { readonly record: Recorded }) =>
    record.to === 'completed' || record.to === 'failed'
      ? record.settlement !== expected[record.to]
      : record.settlement !== undefined
  expect(offences(records, wrong)).toEqual([])
})

test('each decision brings the facts that its state must have', () => {
  const lacks = ({
    state,
    record,
  }: {
    readonly state: AttemptState
    readonly record: Recorded
  }) => {
    switch (record.to) {
      case 'pending':
        return record.taskId === undefined && !('taskId' in state && state.taskId !== undefined)
      case 'delivering':
      case 'storage_failed':
        return record.result === undefined && !('result' in state)
      case 'completed':
        return record.image === undefined
      case 'failed':
        return record.failure === undefined
      case 'initializing':
      case 'submitting':
      case 'status_unknown':
        return false
    }
  }
  expect(offences(records, (item) => item.state.state !== 'status_unknown' && lacks(item))).toEqual(
    [],
  )
})

test('every recorded decision is a transition that the database allows', () => {
  const sql = readdirSync('prisma/migrations', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => readFileSync(`prisma/migrations/${name}/migration.sql`, 'utf8'))
    .join('\n')
  const inserts = [...sql.matchAll(/insert into legal_transition[^;]*;/g)].join('\n')
  const legal = new Set(
    [...inserts.matchAll(/\('(\w+)', '(\w+)'\)/g)].map(([, from, to]) => `${from} -> ${to}`),
  )
  expect(legal.size).toBeGreaterThan(15)

  const made = new Set(records.map(({ state, record }) => `${state.state} -> ${record.to}`))
  expect([...made].filter((transition) => !legal.has(transition))).toEqual([])
})

test('every pause is a whole number of milliseconds that the database can keep', () => {
  const unfit = ({ decision }: { readonly decision: Decision }) =>
    decision.kind !== 'anomaly' &&
    !(Number.isInteger(decision.dueInMs) && decision.dueInMs >= 0 && decision.dueInMs < 2 ** 31)
  expect(offences(decided, unfit)).toEqual([])
})

// Each rule by name. The enumeration above proves what never happens, these what does.

const initializing: AttemptState = { state: 'initializing' }
const submitting: AttemptState = { state: 'submitting' }
const pending: AttemptState = { state: 'pending', taskId }
const unresolved: AttemptState = { state: 'status_unknown', taskId: undefined }
const unseen: AttemptState = { state: 'status_unknown', taskId }
const delivering: AttemptState = { state: 'delivering', taskId, result }
const undelivered: AttemptState = { state: 'storage_failed', taskId, result }
const completed: AttemptState = { state: 'completed', taskId }
const refused: AttemptState = { state: 'failed', taskId: undefined, failure }

const accepted: News = { kind: 'submission', send: 1, outcome: { kind: 'accepted', taskId } }
const rejected: News = {
  kind: 'submission',
  send: 1,
  outcome: { kind: 'rejected', failure, evidence },
}
const busy = (retryAfterMs?: number, send = 1): News => ({
  kind: 'submission',
  send,
  outcome: { kind: 'rejected-for-now', retryAfterMs, evidence },
})
const kept = { from: 'store', sha256: 'ab'.repeat(32) } as const
const madeAtOnce: News = {
  kind: 'submission',
  send: 1,
  outcome: { kind: 'made-at', result: kept },
}
const answeredFailed: News = {
  kind: 'submission',
  send: 1,
  outcome: { kind: 'failed', failure, evidence },
}
const repeat = (outcome: Extract<News, { kind: 'repeat' }>['outcome']): News => ({
  kind: 'repeat',
  outcome,
})
const found = (lookup: Extract<News, { kind: 'lookup' }>['lookup']): News => ({
  kind: 'lookup',
  lookup,
})
const stopping = (outcome: Extract<News, { kind: 'cancelling' }>['outcome']): News => ({
  kind: 'cancelling',
  outcome,
})
const noAnswer: News = { kind: 'submission', send: 1, outcome: { kind: 'unknown', evidence } }
const lost: News = { kind: 'submission-lost' }
const seen = (observation: Extract<News, { kind: 'observation' }>['observation']): News => ({
  kind: 'observation',
  observation,
})
const delivered = (outcome: Extract<News, { kind: 'delivery' }>['outcome']): News => ({
  kind: 'delivery',
  outcome,
})
const cancelled: News = { kind: 'cancel-requested' }
const reported: News = { kind: 'task-reported', taskId }
const secondTask: News = { kind: 'task-reported', taskId: otherTaskId }
const noImage = delivered({ kind: 'unusable', reason: 'no image', sha256: image.sha256 })
const lastUnusable = (times: number, sha256 = image.sha256): Partial<Circumstances> => ({
  lastKind: 'unusable_result',
  lastEvidence: { sha256, times },
})

const moves = (to: string, because: string, facts: object = {}) => ({
  kind: 'record',
  to,
  because,
  ...facts,
})
const wait = { kind: 'wait' }
const anomaly = (because: string) => ({ kind: 'anomaly', because })

type Rule = readonly [
  rule: string,
  state: AttemptState,
  news: News,
  given: Partial<Circumstances>,
  expected: object,
]

// One rule a line reads as a table.
// prettier-ignore
const rules: readonly Rule[] = [
  ['an accepted submission is pending under its task', submitting, accepted, {}, moves('pending', 'accepted', { taskId })],
  ['an accepted answer that comes late resolves an unresolved submission', unresolved, accepted, {}, moves('pending', 'accepted', { taskId })],
  ['the same task told again changes nothing', pending, accepted, {}, wait],
  ['a rejection fails the attempt and keeps what was seen', submitting, rejected, {}, moves('failed', 'rejected', { failure, evidence: { ...evidence, failure } })],
  ['a rejection that comes late still proves that nothing was made', unresolved, rejected, {}, moves('failed', 'rejected_late', { failure })],
  ['a rejection says nothing against a task that is known', pending, rejected, {}, wait],
  ['a busy provider is asked again after the pause', submitting, busy(), { random: 0.5 }, moves('initializing', 'not_accepted', { dueInMs: 250 })],
  ['a busy provider is asked again no sooner than it asks', submitting, busy(2_000), {}, moves('initializing', 'not_accepted', { dueInMs: 2_000 })],
  ['a third busy answer is the last', submitting, busy(undefined, 3), { sends: 3 }, moves('failed', 'not_accepted_finally')],
  ['a wait beyond thirty seconds in all stops the tries at once', submitting, busy(40_000), {}, moves('failed', 'not_accepted_finally', { failure: { code: 'provider_unavailable', message: 'The image service is busy. Try again in 40 seconds.' } })],
  ['a wait that just fits the thirty seconds is waited', submitting, busy(20_000), { sendingAgeMs: 10_000 }, moves('initializing', 'not_accepted', { dueInMs: 20_000 })],
  ['a wait that just does not fit is not', submitting, busy(20_001), { sendingAgeMs: 10_000 }, moves('failed', 'not_accepted_finally')],
  ['a busy answer after the lease was lost ends the attempt, as nothing was made', unresolved, busy(), {}, moves('failed', 'rejected_late')],
  ['a busy answer of an earlier send says nothing of this one', submitting, busy(), { sends: 2 }, wait],
  ['nor that nothing was made, once this one is unresolved', unresolved, busy(), { sends: 2 }, wait],
  ['a refusal of an earlier send says nothing of this one', submitting, rejected, { sends: 2 }, wait],
  ['a task that an earlier send became after all is believed', submitting, accepted, { sends: 2 }, moves('pending', 'accepted', { taskId })],
  ['a lost answer is unresolved and says so', submitting, noAnswer, {}, moves('status_unknown', 'submission_unknown', { evidence: { code: 'SUBMISSION_UNKNOWN', ...evidence } })],
  ['no answer adds nothing to an unresolved submission', unresolved, noAnswer, {}, wait],
  ['no answer adds nothing to a task that is known', pending, noAnswer, {}, wait],
  ['a lease lost while submitting is unresolved', submitting, lost, {}, moves('status_unknown', 'submission_unknown')],
  ['a lease lost after the answer was recorded is nothing', pending, lost, {}, wait],
  ['a reported task resolves an unresolved submission', unresolved, reported, {}, moves('pending', 'task_reported', { taskId, dueInMs: 0 })],
  ['a task reported before our answer came is believed', submitting, reported, {}, moves('pending', 'task_reported', { taskId })],
  ['a task reported again is nothing', unseen, reported, {}, wait],
  ['a second task is an anomaly while pending', pending, secondTask, {}, anomaly('second_task')],
  ['a second task is an anomaly while unseen', unseen, secondTask, {}, anomaly('second_task')],
  ['a second task is an anomaly while delivering', delivering, secondTask, {}, anomaly('second_task')],
  ['a second task is an anomaly while it cannot be stored', undelivered, secondTask, {}, anomaly('second_task')],
  ['a task of an attempt that was never sent is an anomaly', initializing, reported, {}, anomaly('task_before_submission')],
  ['a task of an attempt that was refused is an anomaly', refused, reported, {}, anomaly('unexpected_task')],
  ['a second task is an anomaly after the end', completed, secondTask, {}, anomaly('second_task')],
  ['the task told once more after the end is nothing', completed, reported, {}, wait],
  ['a look at a running task tells only its progress', pending, seen({ kind: 'pending', progress: 0.4 }), {}, { kind: 'wait', progress: 0.4 }],
  ['a task that is seen again is pending again', unseen, seen({ kind: 'pending', progress: 0.4 }), {}, moves('pending', 'seen_pending')],
  ['a success is delivered at once', pending, seen({ kind: 'succeeded', result }), {}, moves('delivering', 'succeeded', { result, dueInMs: 0 })],
  ['a success of a task that was out of sight is delivered', unseen, seen({ kind: 'succeeded', result }), {}, moves('delivering', 'succeeded', { result })],
  ['a failure at the provider is confirmed', pending, seen({ kind: 'failed', failure }), {}, moves('failed', 'provider_failed', { failure })],
  ['a look says nothing against a made image', delivering, seen({ kind: 'failed', failure }), {}, wait],
  ['a first failed look is kept and changes no state', pending, seen({ kind: 'unavailable', reason: 'r' }), {}, moves('pending', 'look_failed', { evidence: { reason: 'r' } })],
  ['a failed look at an unseen task changes no state', unseen, seen({ kind: 'unavailable', reason: 'r' }), {}, moves('status_unknown', 'look_failed')],
  ['the next failed looks are not kept', pending, seen({ kind: 'unavailable', reason: 'r' }), { lastKind: 'look_failed' }, wait],
  ['a provider that asks to wait is not looked at sooner', pending, seen({ kind: 'unavailable', reason: 'r', retryAfterMs: 77_000 }), { lastKind: 'look_failed' }, { kind: 'wait', dueInMs: 77_000 }],
  ['a task may be missing for a minute', pending, seen({ kind: 'missing', reason: 'r' }), { stateAgeMs: 59_999 }, wait],
  ['a task missing for longer is unresolved, not failed', pending, seen({ kind: 'missing', reason: 'r' }), { stateAgeMs: 60_000 }, moves('status_unknown', 'task_missing')],
  ['a task that stays missing stays unresolved', unseen, seen({ kind: 'missing', reason: 'r' }), { stateAgeMs: 90 * 86_400_000 }, wait],
  ['a stored image completes and settles', delivering, delivered({ kind: 'stored', image }), {}, moves('completed', 'delivered', { image, settlement: 'settled' })],
  ['a stored image completes after any trouble', undelivered, delivered({ kind: 'stored', image }), { tries: 99 }, moves('completed', 'delivered')],
  ['a fetch that fails is tried again', delivering, delivered({ kind: 'not-yet', stage: 'fetch', reason: 'r' }), {}, moves('storage_failed', 'fetch_failed', { dueInMs: 1_000 })],
  ['a store that fails is tried again', delivering, delivered({ kind: 'not-yet', stage: 'store', reason: 'r' }), {}, moves('storage_failed', 'store_failed')],
  ['the same trouble again is not kept', undelivered, delivered({ kind: 'not-yet', stage: 'fetch', reason: 'r' }), { lastKind: 'fetch_failed', tries: 2 }, { kind: 'wait', dueInMs: 4_000 }],
  ['other trouble is kept', undelivered, delivered({ kind: 'not-yet', stage: 'store', reason: 'r' }), { lastKind: 'fetch_failed' }, moves('storage_failed', 'store_failed')],
  ['a result that is gone is no failure: it is kept open for a person', delivering, delivered({ kind: 'gone', reason: 'r' }), {}, moves('storage_failed', 'result_expired')],
  ['a result that stays gone is not told again', undelivered, delivered({ kind: 'gone', reason: 'r' }), { lastKind: 'result_expired', tries: 20 }, { kind: 'wait', dueInMs: 60_000 }],
  ['a file that is no image is fetched again', delivering, noImage, {}, moves('storage_failed', 'unusable_result', { evidence: { reason: 'no image', sha256: image.sha256, times: 1 } })],
  ['the same file a second time is fetched again', undelivered, noImage, lastUnusable(1), moves('storage_failed', 'unusable_result', { evidence: { reason: 'no image', sha256: image.sha256, times: 2 } })],
  ['the same file a third time is the last word', undelivered, noImage, lastUnusable(2), moves('failed', 'unusable_result_finally', { settlement: 'released' })],
  ['another file that is no image starts the count again', undelivered, noImage, lastUnusable(2, 'cd'.repeat(32)), moves('storage_failed', 'unusable_result', { evidence: { reason: 'no image', sha256: image.sha256, times: 1 } })],
  ['what was not sent can be cancelled, with proof', initializing, cancelled, {}, moves('failed', 'cancelled', { settlement: 'released' })],
  ['what cannot be sent fails before it is sent', initializing, { kind: 'unsendable', reason: 'r' }, {}, moves('failed', 'unsendable', { settlement: 'released', failure: { code: 'invalid_input', message: 'r' } })],
  ['what was sent is not unsendable', submitting, { kind: 'unsendable', reason: 'r' }, {}, wait],
  ['what may be on the wire cannot be cancelled', submitting, cancelled, {}, wait],
  ['what the provider has cannot be cancelled by wishing', pending, cancelled, {}, wait],
  ['what nobody knows cannot be cancelled', unresolved, cancelled, {}, wait],
  ['what is made is not cancelled', delivering, cancelled, {}, wait],
  ['a lost submission’s task is looked for soon', submitting, noAnswer, {}, moves('status_unknown', 'submission_unknown', { dueInMs: 5_000 })],
  ['or when the policy says so, if that is sooner', submitting, noAnswer, { compensateAfterMs: 1_000 }, moves('status_unknown', 'submission_unknown', { dueInMs: 1_000 })],
  ['an answer that brought the image is delivered', submitting, madeAtOnce, {}, moves('delivering', 'made_at_once', { result: kept, dueInMs: 0 })],
  ['an image that came after the lease was lost is delivered', unresolved, madeAtOnce, {}, moves('delivering', 'made_at_once', { result: kept })],
  ['an image told once more is nothing', delivering, madeAtOnce, {}, wait],
  ['an image of what was failed is an anomaly, and nobody is charged', refused, madeAtOnce, {}, anomaly('success_after_failure')],
  ['an image of what was never sent is an anomaly', initializing, madeAtOnce, {}, anomaly('task_before_submission')],
  ['an answer that ended without an image is a failure', submitting, answeredFailed, {}, moves('failed', 'provider_failed', { failure, settlement: 'released' })],
  ['and so it is when it comes late', unresolved, answeredFailed, {}, moves('failed', 'provider_failed', { failure })],
  ['the same POST again that names a task resolves it', unresolved, repeat({ kind: 'accepted', taskId }), {}, moves('pending', 'accepted_on_repeat', { taskId })],
  ['the same POST again that brings the image resolves it', unresolved, repeat({ kind: 'made-at', result: kept }), {}, moves('delivering', 'made_at_once')],
  ['the same POST again that tells of a failure resolves it', unresolved, repeat({ kind: 'failed', failure, evidence }), {}, moves('failed', 'provider_failed')],
  ['a refusal of the same POST again proves nothing of the first', unresolved, repeat({ kind: 'rejected', failure, evidence }), {}, moves('status_unknown', 'repeat_unanswered')],
  ['nor does a busy answer', unresolved, repeat({ kind: 'rejected-for-now', retryAfterMs: 3_000_000, evidence }), {}, moves('status_unknown', 'repeat_unanswered', { dueInMs: 3_000_000 })],
  ['nor no answer', unresolved, repeat({ kind: 'unknown', evidence }), { stateAgeMs: 0 }, moves('status_unknown', 'repeat_unanswered', { dueInMs: 15_000 })],
  ['a failure told by the same POST again is nothing against a task that is known', pending, repeat({ kind: 'failed', failure, evidence }), {}, wait],
  ['nor is its refusal', pending, repeat({ kind: 'rejected', failure, evidence }), {}, wait],
  ['a task that is found resolves it', unresolved, found({ kind: 'found', taskId }), {}, moves('pending', 'found_by_lookup', { taskId, dueInMs: 0 })],
  ['another task that is found is an anomaly', pending, found({ kind: 'found', taskId: otherTaskId }), {}, anomaly('second_task')],
  ['a task that is not found is no proof that there is none', unresolved, found({ kind: 'absent', reason: 'r' }), {}, moves('status_unknown', 'not_found_by_lookup')],
  ['not found again is not kept', unresolved, found({ kind: 'absent', reason: 'r' }), { lastKind: 'not_found_by_lookup', stateAgeMs: 700_000 }, { kind: 'wait', dueInMs: 300_000 }],
  ['a search that failed says nothing', unresolved, found({ kind: 'unavailable', reason: 'r', retryAfterMs: 20_000 }), {}, moves('status_unknown', 'lookup_failed', { dueInMs: 20_000 })],
  ['a search that ends after the task was found is nothing', pending, found({ kind: 'absent', reason: 'r' }), {}, wait],
  ['a task that its provider stopped is failed, and its reservation released', pending, stopping({ kind: 'cancelled' }), {}, moves('failed', 'cancelled_at_provider', { settlement: 'released' })],
  ['a task out of sight that its provider stopped is failed', unseen, stopping({ kind: 'cancelled' }), {}, moves('failed', 'cancelled_at_provider')],
  ['a wish that was only taken proves nothing', pending, stopping({ kind: 'asked' }), {}, moves('pending', 'cancel_asked')],
  ['a wish that came too late is looked into at once', pending, stopping({ kind: 'too-late' }), {}, moves('pending', 'cancel_too_late', { dueInMs: 0 })],
  ['a wish that could not be told changes nothing', pending, stopping({ kind: 'unavailable', reason: 'r' }), {}, wait],
  ['what is unresolved is not stopped by stopping something', unresolved, stopping({ kind: 'cancelled' }), {}, wait],
  ['what is made is not stopped', delivering, stopping({ kind: 'cancelled' }), {}, wait],
  ['a second delivery of what is delivered is nothing', completed, delivered({ kind: 'stored', image }), {}, wait],
]

test.each(rules)('%s', (_rule, state, news, given, expected) => {
  expect(decide(state, news, circumstances(given))).toMatchObject(expected)
})
