import { randomUUID } from 'node:crypto'
import { applyDecision, claimAttempts, type ClaimedAttempt } from '@/lib/db/attempt-store'
import { findAttempt } from '@/lib/db/known-attempt'
import { createDatabase, type Database } from '@/lib/db/database'
import type { AttemptKey } from '@/lib/domain/attempt'
import { TaskId } from '@/lib/domain/ids'
import type { Cancelling, Observation, SubmitOutcome, Usage } from '@/lib/domain/observation'
import type { Provider } from '@/lib/domain/provider'
import { createSimulatorProvider } from '@/lib/providers/simulator/provider'
import type { WorkerDeps } from '@/lib/use-cases/deps'
import { recordNews } from '@/lib/use-cases/record-news'
import { takeNextAction } from '@/lib/use-cases/take-next-action'
import type { World } from '@/test/world'
import { ALLOWANCE } from './model'

// The real code on the real database, with a provider that does what the program says.

export type SubmitScript = 'accept' | 'lose' | 'lose-unaccepted' | 'reject' | 'busy' | 'made'
export type CancelScript = Cancelling['kind']
export type LookScript = 'pending' | 'succeeded' | 'failed' | 'outage'
export type StoreScript = 'stored' | 'fetch-fails' | 'store-fails' | 'not-an-image'

const EVIDENCE = { reason: 'as the program has it' }

const USAGE: Usage = {
  address: 'http://provider.test/',
  requestSha256: 'ab'.repeat(32),
  requestBytes: 1,
  httpStatus: undefined,
  providerRequestId: undefined,
  cost: undefined,
}

/** Thrown where a process would have died. */
export class Killed extends Error {}

export class Real {
  readonly deps: WorkerDeps
  submitScript: SubmitScript = 'accept'
  lookScript: LookScript = 'pending'
  storeScript: StoreScript = 'stored'
  cancelScript: CancelScript = 'unavailable'
  dieAfterPost = false
  dieBeforePost = false
  /** What the provider really received and made, by our reference. */
  readonly posts = new Map<string, number>()
  readonly tasks = new Map<string, TaskId>()
  readonly #world: World
  readonly #png: Buffer
  readonly #db: Database

  constructor(world: World, png: Buffer) {
    this.#png = png
    this.#world = world
    // One connection: the clock that a test moves belongs to a connection.
    this.#db = createDatabase({
      url: world.appUrl,
      applicationName: 'model',
      poolMax: 1,
      onError: () => undefined,
    })
    this.deps = {
      ...world.deps,
      db: this.#db,
      dailyAllowance: ALLOWANCE,
      providers: new Map([['simulator', this.#provider()]]),
      images: {
        ...world.deps.images,
        put: async (key, bytes) => {
          if (this.storeScript === 'store-fails') throw new Error('the disk is full')
          await world.deps.images.put(key, bytes)
        },
      },
    }
  }

  #provider(): Provider {
    const url = this.#world.provider.url
    const simulator = createSimulatorProvider({ baseUrl: url, now: () => new Date() })
    return {
      name: simulator.name,
      capabilities: simulator.capabilities,
      trustedOrigins: simulator.trustedOrigins,
      submitTimeoutMs: simulator.submitTimeoutMs,
      submit: ({ reference }) =>
        Promise.resolve({ outcome: this.#submit(reference), usage: USAGE }),
      observe: (taskId) => Promise.resolve(this.#look(taskId)),
      cancel: () => Promise.resolve({ kind: this.cancelScript, reason: 'it answered 503' }),
    }
  }

  #submit(reference: string): SubmitOutcome {
    if (this.dieBeforePost) throw new Killed()
    this.posts.set(reference, (this.posts.get(reference) ?? 0) + 1)
    const failure = { code: 'invalid_input', message: 'It was refused.' } as const
    switch (this.submitScript) {
      case 'reject':
        return { kind: 'rejected', failure, evidence: EVIDENCE }
      case 'busy':
        return { kind: 'rejected-for-now', retryAfterMs: undefined, evidence: EVIDENCE }
      case 'made':
        return { kind: 'made', image: this.#png }
      case 'lose-unaccepted':
        return { kind: 'unknown', evidence: EVIDENCE }
      case 'accept':
      case 'lose': {
        const taskId = TaskId.parse(`task-${randomUUID()}`)
        this.tasks.set(reference, taskId)
        if (this.dieAfterPost) throw new Killed()
        return this.submitScript === 'accept'
          ? { kind: 'accepted', taskId }
          : { kind: 'unknown', evidence: EVIDENCE }
      }
    }
  }

  #look(taskId: TaskId): Observation {
    switch (this.lookScript) {
      case 'pending':
        return { kind: 'pending', progress: 0.5 }
      case 'succeeded':
        return { kind: 'succeeded', result: { url: this.#world.provider.imageUrl(taskId) } }
      case 'failed':
        return { kind: 'failed', failure: { code: 'provider_failed', message: 'It broke.' } }
      case 'outage':
        return { kind: 'unavailable', reason: 'it answered 503' }
    }
  }

  /** Nothing is due by itself in a program: only what a command makes so. */
  async rest({ id }: AttemptKey): Promise<void> {
    await this.#world.rows(
      `update attempt_work set due_at = now() + interval '100 years' where attempt_id = $1`,
      id,
    )
  }

  async claim(key: AttemptKey): Promise<ClaimedAttempt | undefined> {
    await this.#world.rows(
      `update attempt_work set due_at = now() - interval '1 day', lease_until = null where attempt_id = $1`,
      key.id,
    )
    const [claimed] = await claimAttempts(this.#db, 10, this.deps.leaseMs)
    return claimed
  }

  /** What a worker does with one due attempt, and dies of if the program says so. */
  async work(key: AttemptKey): Promise<void> {
    const claimed = await this.claim(key)
    if (claimed) await this.act(claimed)
    await this.rest(key)
  }

  async act(claimed: ClaimedAttempt): Promise<void> {
    try {
      await takeNextAction(this.deps, claimed)
    } catch (error) {
      if (!(error instanceof Killed)) throw error
    }
  }

  async reportTask(key: AttemptKey, taskId: TaskId): Promise<void> {
    await recordNews(this.deps, key, { kind: 'task-reported', taskId }, 'callback:simulator')
    await this.rest(key)
  }

  async compensate(key: AttemptKey): Promise<string> {
    const known = await findAttempt(this.#db, key)
    if (!known) throw new Error('the attempt is gone')
    return applyDecision(
      this.#db,
      { key, version: known.version, epoch: undefined, actor: 'admin:model' },
      {
        kind: 'record',
        to: known.state.state,
        because: 'compensated',
        evidence: {},
        settlement: 'compensated',
        reason: 'The program asked for it.',
        dueInMs: 1_000_000,
      },
    )
  }

  async setDay(day: number): Promise<void> {
    await this.#db.pool.query(`select set_config('darkroom.clock_offset', $1, false)`, [
      `${day} days`,
    ])
  }

  async close(): Promise<void> {
    await this.#db.close()
  }
}
