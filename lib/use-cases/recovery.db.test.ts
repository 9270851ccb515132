import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { beginSubmission } from '@/lib/db/attempt-store'
import { declareCompensationPolicy, spoolResult } from '@/lib/db/recovery-store'
import type { AttemptKey } from '@/lib/domain/attempt'
import { createFileImageStore } from '@/lib/storage/file-image-store'
import { callback, verifiersWith } from '@/test/callbacks'
import {
  accepted,
  acceptedAndReset,
  answering,
  errorBody,
  looking,
  type Behaviour,
} from '@/test/fake-provider-server'
import { interceptQueries } from '@/test/intercepted-pool'
import { LEASE_MS, openWorld } from '@/test/world'
import { cancelAttempt } from './cancel-attempt'
import type { WorkerDeps } from './deps'
import { receiveCallback } from './receive-callback'
import { replayEvidence } from './replay-evidence'
import { takeNextAction } from './take-next-action'

const world = openWorld()
const begin = async () => world().start(await world().openAccount(10))

// The database is away when the answer comes, or says nothing of what it has kept.

/** As the worker's database, but each decision fails, before or after it was committed. */
function away(when: 'before' | 'after'): WorkerDeps {
  const pool = interceptQueries(world().db.pool, async (name, run) => {
    if (name !== 'apply_decision') return run()
    if (when === 'after') await run()
    throw new Error('connection terminated')
  })
  return { ...world().deps, db: { ...world().db, pool } }
}

async function answeredWhileAway(answer: Behaviour, when: 'before' | 'after'): Promise<AttemptKey> {
  world().provider.answer('submit', answer, accepted)
  const key = await begin()
  await world().step(key, { by: away(when) })
  return key
}

test.each<readonly [string, Behaviour, 'before' | 'after', string]>([
  ['an accepted answer', accepted, 'before', 'completed'],
  ['an accepted answer that was kept after all', accepted, 'after', 'completed'],
  ['a refusal', answering(422, errorBody('content_policy')), 'before', 'failed'],
  ['a refusal that was kept after all', answering(422, errorBody('x')), 'after', 'failed'],
  ['a lost answer', acceptedAndReset, 'before', 'status_unknown'],
])(
  '%s that could not be recorded waits on the disk and is told later',
  async (_what, answer, when, ends) => {
    const key = await answeredWhileAway(answer, when)
    // The lease runs out first: what was sent is unresolved until the answer is told.
    await world().step(key, { lease: true })
    await replayEvidence(world().deps)
    expect(await world().deps.evidence.list()).toEqual([])

    await world().runToQuiet(key)
    expect(await world().attempt(key)).toMatchObject({ state: ends })
    expect(world().provider.posts()).toBe(1)
  },
)

test('a busy answer told twice does not undo the next send: no third POST, no false failure', async () => {
  const key = await answeredWhileAway(answering(429), 'after')
  expect(await world().attempt(key)).toMatchObject({ state: 'initializing' })

  // The second send is on the wire, and is accepted.
  const claimed = await world().claimOne(key)
  expect(await beginSubmission(world().db, claimed, LEASE_MS, 'worker:other')).toBe('applied')
  const provider = world().deps.providers.get('simulator')
  const { generation } = claimed
  await provider?.submit(
    {
      reference: key.id,
      callbackUrl: undefined,
      callbackSecret: '',
      referenceImages: [],
      ...generation,
    },
    AbortSignal.timeout(1_000),
  )

  await replayEvidence(world().deps)
  expect(await world().attempt(key)).toMatchObject({ state: 'submitting' })
  await world().runToQuiet(key, { lease: true })
  expect(await world().attempt(key)).toMatchObject({ state: 'status_unknown', settlement: null })
  expect(world().provider.posts()).toBe(2)
})

test('a busy answer told after the next one was lost is no proof about the next one', async () => {
  const key = await answeredWhileAway(answering(429), 'after')
  world().provider.answer('submit', acceptedAndReset)
  await world().step(key)
  expect(await world().attempt(key)).toMatchObject({ state: 'status_unknown' })

  await replayEvidence(world().deps)
  expect(await world().attempt(key)).toMatchObject({ state: 'status_unknown', settlement: null })
})

test('a third busy answer that comes under a lost lease is the last, as under a lease', async () => {
  world().provider.answer('submit', answering(429))
  const key = await begin()
  await world().step(key)
  await world().step(key)
  const claimed = await world().claimOne(key)
  world().provider.answer('submit', async (exchange) => {
    // Another worker takes over while ours waits for the answer, and has not yet acted.
    await world().makeDue(key, { lease: true })
    await world().claim(key)
    await answering(429)(exchange)
  })
  await takeNextAction(world().deps, claimed)
  await world().runToQuiet(key, { lease: true })

  expect(await world().attempt(key)).toMatchObject({ state: 'failed', settlement: 'released' })
  expect(world().provider.posts()).toBe(3)
})

test('a piece of evidence that cannot be read is left, named in the log, and stops no other', async () => {
  const key = await answeredWhileAway(accepted, 'before')
  await mkdir(join(world().folder, 'evidence'), { recursive: true })
  await writeFile(join(world().folder, 'evidence', '0-broken.json'), '{"key":1}')
  await world().step(key, { lease: true })
  await replayEvidence(world().deps)

  expect(await world().attempt(key)).toMatchObject({ state: 'pending' })
  expect(await world().deps.evidence.list()).toEqual(['0-broken.json'])
  expect(world().logged).toContainEqual(expect.objectContaining({ msg: 'evidence not readable' }))
})

// A policy that is written down may give back what nobody can know. It says nothing of the outcome.

async function compensated(): Promise<AttemptKey> {
  world().provider.answer('submit', acceptedAndReset)
  const key = await begin()
  await world().runToQuiet(key)
  const version = await declareCompensationPolicy(world().db, 1_000, 'test')
  const by = { ...world().deps, compensationPolicy: { version, afterMs: 0 } }
  await world().step(key, { by })
  expect(await world().attempt(key)).toMatchObject({
    state: 'status_unknown',
    settlement: 'compensated',
  })
  return key
}

const calledBack = (key: AttemptKey) =>
  receiveCallback(
    { ...world().deps, verifiers: verifiersWith() },
    callback({
      id: key.id,
      taskId: world().provider.taskIdOf(key.id) ?? '',
      callbackSecret: world().deps.callbackSecret,
    }),
  )

const WHOLE = { available: 10, held: 0, spent: 0 }

test('what the policy gave back stays given back, and is recorded as that, once', async () => {
  const key = await compensated()
  expect(await world().balance(key.accountId)).toEqual(WHOLE)
  expect(await world().entries(key)).toEqual(['reserved', 'compensated'])
  expect(
    await world().rows(
      `select s.reason, p.after_ms from settlement s
       join compensation_policy p on p.version = s.policy_version where attempt_id = $1`,
      key.id,
    ),
  ).toEqual([{ reason: `Unresolved for longer than policy 1 allows.`, after_ms: '1000' }])
  await world().step(key)
  expect(await world().entries(key)).toHaveLength(2)
})

test.each([
  ['delivered', 'succeeded', 'completed'],
  ['failed', 'failed', 'failed'],
])(
  'a compensated attempt that proves %s is recorded so, and no credit moves again',
  async (_what, status, ends) => {
    const key = await compensated()
    const taskId = world().provider.taskIdOf(key.id) ?? ''
    world().provider.answer('status', looking(status, world().provider.imageUrl(taskId)))
    expect(await calledBack(key)).toBe('kept')
    await world().runToQuiet(key)

    expect(await world().attempt(key)).toMatchObject({ state: ends, settlement: 'compensated' })
    expect(await world().balance(key.accountId)).toEqual(WHOLE)
    expect(await world().entries(key)).toEqual(['reserved', 'compensated'])
  },
)

test('a policy has a version, and the same policy keeps it', async () => {
  const declare = (afterMs: number | undefined) =>
    declareCompensationPolicy(world().db, afterMs, 'test')
  const first = await declare(72 * 3_600_000)
  expect(await declare(72 * 3_600_000)).toBe(first)
  expect(await declare(undefined)).toBe(first + 1)
  expect(await declare(72 * 3_600_000)).toBe(first + 2)
  const at = await Promise.all(Array.from({ length: 10 }, () => declare(5_000)))
  expect(new Set(at)).toEqual(new Set([first + 3]))
})

test('the spool holds as much as it may and no more, also when many fill it at once', async () => {
  const keys = await Promise.all(Array.from({ length: 6 }, begin))
  const outcomes = await Promise.all(
    keys.map((key) => spoolResult(world().db, key, Buffer.from('image'), 3)),
  )
  expect(outcomes.filter((outcome) => outcome === 'kept')).toHaveLength(3)
  expect(outcomes.filter((outcome) => outcome === 'full')).toHaveLength(3)
  const kept = keys[outcomes.indexOf('kept')]
  expect(kept && (await spoolResult(world().db, kept, Buffer.from('again'), 3))).toBe('kept')
  await world().rows('delete from spool')
})

test('an image store that is away while the provider forgets its copy costs no image', async () => {
  const gone = createFileImageStore(join(world().folder, 'images-away'))
  await writeFile(join(world().folder, 'images-away'), 'no folder')
  const key = await begin()
  for (let step = 0; step < 3; step += 1)
    await world().step(key, { by: { ...world().deps, images: gone } })
  expect(await world().attempt(key)).toMatchObject({ state: 'storage_failed' })

  world().provider.answer('image', answering(404))
  await world().step(key)
  expect(await world().attempt(key)).toMatchObject({ state: 'completed' })
})

// Cancelling is a fact while nothing was sent, and afterwards a wish.

test('a cancellation and a submission that race end in one of them, 20 times over', async () => {
  for (let time = 0; time < 20; time += 1) {
    world().provider.reset()
    const key = await begin()
    const claimed = await world().claimOne(key)
    const [cancellation] = await Promise.all([
      cancelAttempt(world().deps, key.accountId, key.id),
      takeNextAction(world().deps, claimed),
    ])
    const { state } = await world().attempt(key)
    const cancelled = cancellation?.cancelled === true
    expect({ state, posts: world().provider.posts() }).toEqual(
      cancelled ? { state: 'failed', posts: 0 } : { state: 'pending', posts: 1 },
    )
    expect(await world().entries(key)).toEqual(cancelled ? ['reserved', 'released'] : ['reserved'])
  }
})

test('nobody cancels another account’s attempt', async () => {
  const key = await begin()
  expect(await cancelAttempt(world().deps, await world().openAccount(), key.id)).toBeUndefined()
  expect(await world().attempt(key)).toMatchObject({ state: 'initializing' })
})
