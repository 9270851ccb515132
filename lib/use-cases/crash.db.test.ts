import { expect, test } from 'vitest'
import { beginSubmission, claimAttempts } from '@/lib/db/attempt-store'
import type { AttemptKey } from '@/lib/domain/attempt'
import { callback, verifiersWith } from '@/test/callbacks'
import {
  accepted,
  acceptedAndReset,
  answering,
  looking,
  type Behaviour,
} from '@/test/fake-provider-server'
import { mortal } from '@/test/mortal'
import { LEASE_MS, openWorld } from '@/test/world'
import type { WorkerDeps } from './deps'
import { receiveCallback } from './receive-callback'
import { takeNextAction } from './take-next-action'

// A worker may die at any instruction. Whoever comes after it finds only the rows that it left.

const world = openWorld()

const begin = async () => world().start(await world().openAccount(10))
const stepped = async (times: number) => {
  const key = await begin()
  for (let time = 0; time < times; time += 1) await world().step(key)
  return key
}

async function diesAfterIntent(): Promise<AttemptKey> {
  const key = await begin()
  const claimed = await world().claimOne(key)
  expect(await beginSubmission(world().db, claimed, LEASE_MS, 'worker:dead')).toBe('applied')
  return key
}

async function diesWithLease(key: AttemptKey): Promise<AttemptKey> {
  await world().claimOne(key)
  return key
}

test.each<readonly [string, () => Promise<AttemptKey>, string, number]>([
  ['before it did anything', async () => diesWithLease(await begin()), 'pending', 1],
  ['after the intent and before the POST', diesAfterIntent, 'status_unknown', 0],
  ['while it looked', async () => diesWithLease(await stepped(1)), 'delivering', 1],
  ['while it delivered', async () => diesWithLease(await stepped(2)), 'completed', 1],
  [
    'while it delivered again',
    async () => {
      world().provider.answer('image', answering(503), answering(503))
      const key = await diesWithLease(await stepped(3))
      world().provider.answer('image')
      return key
    },
    'completed',
    1,
  ],
  [
    'while nothing was known',
    async () => {
      world().provider.answer('submit', acceptedAndReset)
      return diesWithLease(await stepped(1))
    },
    'status_unknown',
    1,
  ],
])(
  'a worker that died %s is followed rightly, with no POST too many',
  async (_when, die, state, posts) => {
    const key = await die()
    // While the lease of the dead lives, nobody acts.
    await world().step(key)
    const { version } = await world().attempt(key)

    await world().step(key, { lease: true })
    expect(await world().attempt(key)).toMatchObject({ state })
    expect((await world().attempt(key)).version).toBeGreaterThanOrEqual(version)
    expect(world().provider.posts()).toBe(posts)
  },
)

test('a dead worker’s lease is nobody’s until it has run out', async () => {
  const key = await begin()
  await world().claimOne(key)
  expect(await claimAttempts(world().db, 1_000, LEASE_MS)).not.toContainEqual(
    expect.objectContaining({ key }),
  )
})

test('a worker that wakes after its lease sends nothing: the intent is fenced', async () => {
  const key = await begin()
  const asleep = await world().claimOne(key)
  await world().step(key, { lease: true })
  expect(await world().attempt(key)).toMatchObject({ state: 'pending' })

  await takeNextAction(world().deps, asleep)
  expect(world().provider.posts()).toBe(1)
})

test('a worker with too little of its lease left for an answer does not ask', async () => {
  const key = await begin()
  let clock = 0
  const by: WorkerDeps = { ...world().deps, monotonicMs: () => (clock += LEASE_MS) }
  await world().step(key, { by })
  expect(world().provider.posts()).toBe(0)
  expect(await world().attempt(key)).toMatchObject({ state: 'initializing' })

  await world().runToQuiet(key)
  expect(await world().attempt(key)).toMatchObject({ state: 'completed' })
  expect(world().provider.posts()).toBe(1)
})

// Every instruction of whole lives: killed before it and killed after it.

type Life = {
  readonly answers: Partial<Record<'submit' | 'status' | 'image', readonly Behaviour[]>>
  readonly ends: string
  readonly settled: string
  readonly postsMax: number
}

const usual =
  (route: 'status' | 'image'): Behaviour =>
  (exchange) =>
    world().provider.usual[route](exchange)

const lives: readonly (readonly [string, Life])[] = [
  ['delivered at once', { answers: {}, ends: 'completed', settled: 'settled', postsMax: 1 }],
  [
    'delivered after every trouble',
    {
      answers: {
        submit: [answering(429), accepted],
        status: [answering(503), looking('rendering'), usual('status')],
        image: [answering(503), answering(200, 'rubbish'), usual('image')],
      },
      ends: 'completed',
      settled: 'settled',
      postsMax: 2,
    },
  ],
  [
    'refused',
    {
      answers: { submit: [answering(422, { error: { code: 'content_policy', message: '' } })] },
      ends: 'failed',
      settled: 'released',
      postsMax: 1,
    },
  ],
  [
    'failed at the provider',
    { answers: { status: [looking('failed')] }, ends: 'failed', settled: 'released', postsMax: 1 },
  ],
]

async function liveUntilKilled(life: Life, n: number, when: 'before' | 'after') {
  const { provider } = world()
  provider.reset()
  for (const route of ['submit', 'status', 'image'] as const) {
    const answers = life.answers[route]
    if (answers) provider.answer(route, ...answers)
  }
  const key = await begin()
  const { worker, effects, isDead } = mortal(world().deps, n, when)
  while (!isDead() && (await isOpen(key))) {
    await world().makeDue(key)
    for (const claimed of await world().claim(key)) {
      await takeNextAction(worker, claimed).catch((error: unknown) => {
        if (!isDead()) throw error
      })
    }
  }
  return { key, effects, killed: isDead() }
}

const isOpen = async (key: AttemptKey) =>
  !['completed', 'failed'].includes((await world().attempt(key)).state)

/** What becomes of it under workers that live: its end, or a state that two looks do not change. */
async function followed(key: AttemptKey) {
  let idle = 0
  while (idle < 2 && (await isOpen(key))) {
    const { version } = await world().attempt(key)
    await world().step(key, { lease: true })
    idle = (await world().attempt(key)).version === version ? idle + 1 : 0
  }
  return world().attempt(key)
}

test.each(lives)(
  'killed at any instruction of a life %s, nothing is lost and nothing doubled',
  async (_life, life) => {
    const unresolved: string[] = []
    for (let n = 1, more = true; more; n += 1) {
      for (const when of ['before', 'after'] as const) {
        const { key, effects, killed } = await liveUntilKilled(life, n, when)
        more = killed
        const where = `killed ${when} ${effects.at(-1)} (${n})`
        const { state, settlement } = await followed(key)

        expect(world().provider.posts(), where).toBeLessThanOrEqual(life.postsMax)
        expect(world().provider.tasksOf(key.id), where).toBeLessThanOrEqual(1)
        if (state === 'status_unknown') {
          unresolved.push(where.replace(/ \(\d+\)$/, ''))
          expect(await world().entries(key), where).toEqual(['reserved'])
          await expectResolvedByCallback(key, where)
        } else {
          expect({ state, settlement }, where).toEqual({
            state: life.ends,
            settlement: life.settled,
          })
          expect(await world().entries(key), where).toEqual(['reserved', life.settled])
        }
      }
    }
    // Only between the intent and what was learned is there something that nobody can know.
    expect(new Set(unresolved)).toEqual(
      new Set([
        'killed after begin_submission',
        'killed before submit',
        'killed after submit',
        'killed before apply_decision',
      ]),
    )
  },
)

/** Where the provider did accept it, its callback brings the image, and one charge. */
async function expectResolvedByCallback(key: AttemptKey, where: string): Promise<void> {
  const taskId = world().provider.taskIdOf(key.id)
  if (taskId === undefined) return
  const { callbackSecret } = world().deps
  const outcome = await receiveCallback(
    { ...world().deps, verifiers: verifiersWith() },
    callback({ id: key.id, taskId, callbackSecret }),
  )
  expect(outcome, where).toBe('kept')
  const { state } = await followed(key)
  expect(['completed', 'failed'], where).toContain(state)
  expect(await world().entries(key), where).toHaveLength(2)
}
