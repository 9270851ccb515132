import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect } from 'vitest'
import { beginSubmission, deferAttempt } from '@/lib/db/attempt-store'
import { correctCredits, grantCredits } from '@/lib/db/account-store'
import { AttemptId, TaskId } from '@/lib/domain/ids'
import { cancelAttempt } from '@/lib/use-cases/cancel-attempt'
import { startAttempt } from '@/lib/use-cases/start-attempt'
import { answering } from '@/test/fake-provider-server'
import { generation } from '@/test/factories'
import type { World } from '@/test/world'
import { finish, reserve, settle, type Model, type ModelAttempt, type ModelState } from './model'
import type { CancelScript, LookScript, Real, StoreScript, SubmitScript } from './real'

export const executed = { commands: 0 }

type Step = {
  readonly text: string
  readonly possible: (model: Model) => boolean
  readonly run: (model: Model, real: Real, world: World) => Promise<void>
}

const STATE_OF: Record<ModelState, string> = {
  queued: 'initializing',
  submitting: 'submitting',
  pending: 'pending',
  unresolved: 'status_unknown',
  delivering: 'delivering',
  'storage-failed': 'storage_failed',
  completed: 'completed',
  failed: 'failed',
}

/** Wraps a step so that after it the books and every attempt are what the model says. */
function command(step: Step, world: () => World): fc.AsyncCommand<Model, Real> {
  return {
    check: (model) => step.possible(model),
    run: async (model, real) => {
      executed.commands += 1
      await step.run(model, real, world())
      await expectAgreement(model, real, world())
    },
    toString: () => step.text,
  }
}

async function expectAgreement(model: Model, real: Real, world: World): Promise<void> {
  const { id, available, held, spent } = model.account
  const [found] = await world.rows(
    `select a.available, a.held, a.spent,
            (select array_agg(concat_ws('/', state, settlement) order by t.id)
             from attempt t where t.account_id = a.id) as attempts
     from account a where a.id = $1`,
    id,
  )
  expect(found).toEqual({
    available,
    held,
    spent,
    attempts:
      model.attempts.length === 0
        ? null
        : [...model.attempts]
            .sort((a, b) => a.key.id.localeCompare(b.key.id))
            .map(({ state, settlement }) =>
              settlement ? `${STATE_OF[state]}/${settlement}` : STATE_OF[state],
            ),
  })
  for (const [reference, posts] of real.posts) {
    const refused = model.attempts.find(({ key }) => key.id === reference)?.refusals ?? 0
    // One POST, and one more for each that provably created nothing.
    expect(posts).toBeLessThanOrEqual(refused + 1)
  }
}

const pick = (model: Model, index: number): ModelAttempt | undefined =>
  model.attempts.length === 0 ? undefined : model.attempts[index % model.attempts.length]

const inState =
  (index: number, ...states: readonly ModelState[]) =>
  (model: Model) => {
    const attempt = pick(model, index)
    return attempt !== undefined && states.includes(attempt.state)
  }

function chosen(model: Model, index: number): ModelAttempt {
  const attempt = pick(model, index)
  if (!attempt) throw new Error('the command was not possible')
  return attempt
}

const start = (prompt: string): Step => ({
  text: `start(${prompt})`,
  possible: () => true,
  run: async (model, real) => {
    const requestId = randomUUID()
    const input = { requestId, ...generation, prompt }
    const expected = reserve(model)
    const started = await startAttempt(real.deps, model.account.id, input)
    expect(started.ok).toBe(expected !== 'refused')
    if (!started.ok) return
    const key = { id: AttemptId.parse(started.value.attempt.id), accountId: model.account.id }
    await real.rest(key)
    model.attempts.push({
      key,
      requestId,
      prompt,
      day: expected === 'allowance' ? model.day : undefined,
      state: 'queued',
      settlement: null,
      task: undefined,
      knowsTask: false,
      refusals: 0,
      firstSentOn: undefined,
      unusable: 0,
      madeIn: undefined,
      cancel: 'unasked',
    })
  },
})

const replay = (index: number): Step => ({
  text: `replay(${index})`,
  possible: (model) => model.attempts.length > 0,
  run: async (model, real) => {
    const { requestId, prompt, key } = chosen(model, index)
    const input = { requestId, ...generation, prompt }
    const again = await startAttempt(real.deps, model.account.id, input)
    expect(again).toMatchObject({ ok: true, value: { replayed: true, attempt: { id: key.id } } })
  },
})

const reuse = (index: number): Step => ({
  text: `reuse(${index})`,
  possible: (model) => model.attempts.length > 0,
  run: async (model, real) => {
    const { requestId, prompt } = chosen(model, index)
    const input = { requestId, ...generation, prompt: `${prompt} ` }
    const refused = await startAttempt(real.deps, model.account.id, input)
    expect(refused).toEqual({ ok: false, refusal: { code: 'request-id-reused' } })
  },
})

const SENDS_MAX = 3

const submit = (index: number, script: SubmitScript, store: StoreScript = 'stored'): Step => ({
  text: `submit(${index}, ${script}, ${store})`,
  possible: inState(index, 'queued'),
  run: async (model, real) => {
    const attempt = chosen(model, index)
    real.submitScript = script
    real.storeScript = store
    attempt.firstSentOn ??= model.day
    await real.work(attempt.key)
    attempt.task = real.tasks.get(attempt.key.id)
    switch (script) {
      case 'accept':
        attempt.state = 'pending'
        attempt.knowsTask = true
        return
      case 'made':
        attempt.state = 'delivering'
        attempt.madeIn = store === 'store-fails' ? 'spool' : 'store'
        return
      case 'lose':
      case 'lose-unaccepted':
        attempt.state = 'unresolved'
        return
      case 'reject':
        finish(model, attempt, 'failed')
        return
      case 'busy':
        attempt.refusals += 1
        if (attempt.refusals >= SENDS_MAX || model.day > attempt.firstSentOn) {
          finish(model, attempt, 'failed')
        }
    }
  },
})

/** The worker dies with the intent committed, before or after its POST. */
const dieSubmitting = (index: number, when: 'before' | 'after'): Step => ({
  text: `dieSubmitting(${index}, ${when})`,
  possible: inState(index, 'queued'),
  run: async (model, real) => {
    const attempt = chosen(model, index)
    real.submitScript = 'accept'
    real.dieBeforePost = when === 'before'
    real.dieAfterPost = when === 'after'
    await real.work(attempt.key)
    real.dieBeforePost = false
    real.dieAfterPost = false
    attempt.task = real.tasks.get(attempt.key.id)
    attempt.state = 'submitting'
  },
})

const findDeadLease = (index: number): Step => ({
  text: `findDeadLease(${index})`,
  possible: inState(index, 'submitting'),
  run: async (model, real) => {
    const attempt = chosen(model, index)
    await real.work(attempt.key)
    attempt.state = 'unresolved'
  },
})

const look = (index: number, script: LookScript, told: CancelScript): Step => ({
  text: `look(${index}, ${script}, ${told})`,
  possible: inState(index, 'pending'),
  run: async (model, real) => {
    const attempt = chosen(model, index)
    real.lookScript = script
    real.cancelScript = told
    await real.work(attempt.key)
    // A wish that the provider hears is all that happens in that turn.
    if (attempt.cancel === 'wanted' && told !== 'unavailable') {
      attempt.cancel = 'told'
      if (told === 'cancelled') finish(model, attempt, 'failed')
      return
    }
    if (script === 'succeeded') attempt.state = 'delivering'
    if (script === 'failed') finish(model, attempt, 'failed')
  },
})

/** Proof while nothing was sent, a wish while something may be made, nothing afterwards. */
const cancel = (index: number): Step => ({
  text: `cancel(${index})`,
  possible: (model) => model.attempts.length > 0,
  run: async (model, real) => {
    const attempt = chosen(model, index)
    const answer = await cancelAttempt(real.deps, model.account.id, attempt.key.id)
    await real.rest(attempt.key)
    const { state } = attempt
    if (state === 'queued') finish(model, attempt, 'failed')
    const isWish = state === 'submitting' || state === 'pending' || state === 'unresolved'
    if (isWish && attempt.cancel === 'unasked') attempt.cancel = 'wanted'
    expect(answer?.requested).toBe(isWish)
  },
})

/** Nothing can be seen of an unresolved attempt without a task, so looking changes nothing. */
const lookAtNothing = (index: number): Step => ({
  text: `lookAtNothing(${index})`,
  possible: inState(index, 'unresolved'),
  run: async (model, real) => real.work(chosen(model, index).key),
})

const UNUSABLE_MAX = 3

const deliver = (index: number, script: StoreScript): Step => ({
  text: `deliver(${index}, ${script})`,
  possible: inState(index, 'delivering', 'storage-failed'),
  run: async (model, real, world) => {
    const attempt = chosen(model, index)
    // What waits in the spool is not fetched again.
    const [spooled] = await world.rows('select 1 from spool where attempt_id = $1', attempt.key.id)
    const [last] = await world.rows(
      'select kind from attempt_event where attempt_id = $1 order by seq desc limit 1',
      attempt.key.id,
    )
    const fromSpool = spooled !== undefined && last?.['kind'] === 'store_failed'
    real.storeScript = script
    if (script === 'fetch-fails') world.provider.answer('image', answering(503))
    else if (script === 'not-an-image') world.provider.answer('image', answering(200, 'no image'))
    else world.provider.answer('image')
    await real.work(attempt.key)
    const isKept =
      attempt.madeIn === 'store' || (attempt.madeIn === 'spool' && script !== 'store-fails')
    if (script === 'stored' || isKept || (fromSpool && script !== 'store-fails')) {
      finish(model, attempt, 'completed')
    } else {
      attempt.unusable = script === 'not-an-image' ? attempt.unusable + 1 : attempt.unusable
      if (script === 'fetch-fails' || script === 'store-fails') attempt.unusable = 0
      attempt.state = 'storage-failed'
      if (attempt.unusable >= UNUSABLE_MAX) finish(model, attempt, 'failed')
    }
  },
})

const callback = (index: number): Step => ({
  text: `callback(${index})`,
  possible: (model) => pick(model, index)?.task !== undefined,
  run: async (model, real) => {
    const attempt = chosen(model, index)
    if (!attempt.task) throw new Error('the command was not possible')
    await real.reportTask(attempt.key, attempt.task)
    if (attempt.state === 'submitting' || attempt.state === 'unresolved') {
      attempt.state = 'pending'
      attempt.knowsTask = true
    }
  },
})

const secondTask = (index: number): Step => ({
  text: `secondTask(${index})`,
  possible: (model) => pick(model, index)?.knowsTask === true,
  run: async (model, real, world) => {
    const attempt = chosen(model, index)
    await real.reportTask(attempt.key, TaskId.parse(`second-${randomUUID()}`))
    expect(await world.anomalies(attempt.key)).toContain('second_task')
  },
})

/** A worker paused past its lease: another one acted meanwhile, and nothing it writes counts. */
const wakeStaleWorker = (index: number): Step => ({
  text: `wakeStaleWorker(${index})`,
  possible: (model) => {
    const attempt = pick(model, index)
    return attempt !== undefined && attempt.state !== 'completed' && attempt.state !== 'failed'
  },
  run: async (model, real) => {
    const attempt = chosen(model, index)
    const stale = await real.claim(attempt.key)
    const current = await real.claim(attempt.key)
    if (!stale || !current) throw new Error('it could not be claimed')
    const next = { dueInMs: 1, looked: false, progress: undefined }
    expect(await deferAttempt(real.deps.db, stale, next)).toBe('fenced')
    expect(await beginSubmission(real.deps.db, stale, 1_000, 'worker:stale')).toBe('fenced')
    await real.rest(attempt.key)
  },
})

const compensate = (index: number): Step => ({
  text: `compensate(${index})`,
  possible: (model) => {
    const attempt = pick(model, index)
    return attempt?.state === 'unresolved' && attempt.settlement === null
  },
  run: async (model, real) => {
    const attempt = chosen(model, index)
    expect(await real.compensate(attempt.key)).toBe('applied')
    await real.rest(attempt.key)
    settle(model, attempt, 'compensated')
  },
})

const grant = (credits: number): Step => ({
  text: `grant(${credits})`,
  possible: () => true,
  run: async ({ account }, real) => {
    const sourceKey = randomUUID()
    const given = { accountId: account.id, credits, sourceKey, actor: 'model', reason: 'A grant' }
    expect(await grantCredits(real.deps.db, given)).toBe('granted')
    expect(await grantCredits(real.deps.db, given)).toBe('replayed')
    account.available += credits
  },
})

/** Takes no more than is available, whatever is held. */
const correct = (credits: number): Step => ({
  text: `correct(${credits})`,
  possible: () => true,
  run: async ({ account }, real) => {
    const sourceKey = randomUUID()
    const given = { accountId: account.id, credits, sourceKey, actor: 'model', reason: 'A mistake' }
    const isThere = account.available + credits >= 0
    const outcome = isThere ? 'corrected' : 'insufficient_credits'
    expect(await correctCredits(real.deps.db, given)).toBe(outcome)
    if (isThere) account.available += credits
    expect(await correctCredits(real.deps.db, given)).toBe(isThere ? 'replayed' : outcome)
  },
})

const nextDay: Step = {
  text: 'nextDay',
  possible: (model) => model.day < 5,
  run: async (model, real) => {
    model.day += 1
    await real.setDay(model.day)
  },
}

/** Every command, as often as a life has it. */
export function allCommands(
  world: () => World,
): readonly fc.Arbitrary<fc.AsyncCommand<Model, Real>>[] {
  const index = fc.nat({ max: 7 })
  const step = (arbitrary: fc.Arbitrary<Step>) => arbitrary.map((one) => command(one, world))
  const scripts = <Script extends string>(
    make: (at: number, script: Script) => Step,
    ...names: readonly Script[]
  ) => step(fc.tuple(index, fc.constantFrom(...names)).map(([at, script]) => make(at, script)))
  return [
    step(fc.constantFrom('a fox', 'a crow', 'a hare').map(start)),
    step(fc.constantFrom('an owl', 'a wolf').map(start)),
    step(index.map(replay)),
    step(index.map(reuse)),
    scripts(submit, 'accept', 'accept', 'lose', 'lose-unaccepted', 'reject', 'busy'),
    scripts(submit, 'accept', 'lose', 'made'),
    step(index.map((at) => submit(at, 'made', 'store-fails'))),
    scripts(dieSubmitting, 'before', 'after'),
    step(index.map(findDeadLease)),
    step(
      fc
        .tuple(
          index,
          fc.constantFrom<LookScript>('pending', 'succeeded', 'succeeded', 'failed', 'outage'),
          fc.constantFrom<CancelScript>('cancelled', 'asked', 'too-late', 'unavailable'),
        )
        .map(([at, script, told]) => look(at, script, told)),
    ),
    step(index.map(cancel)),
    step(index.map(lookAtNothing)),
    scripts(deliver, 'stored', 'stored', 'fetch-fails', 'store-fails', 'not-an-image'),
    step(index.map(callback)),
    step(index.map(secondTask)),
    step(index.map(wakeStaleWorker)),
    step(index.map(compensate)),
    step(fc.integer({ min: 1, max: 3 }).map(grant)),
    step(fc.constantFrom(-3, -1, 1).map(correct)),
    step(fc.constant(nextDay)),
  ]
}
