import { attemptStates, type AttemptState, type Failure } from '@/lib/domain/attempt'
import type { Circumstances, KnownOutcome, News } from '@/lib/domain/decision'
import type { StoredImage } from '@/lib/domain/delivery'
import type { Generation } from '@/lib/domain/generation'
import { TaskId } from '@/lib/domain/ids'
import type { Evidence } from '@/lib/domain/observation'

// Values of the domain for tests, each valid as it is; a test changes only what it is about.

export const taskId = TaskId.parse('task-1')
export const otherTaskId = TaskId.parse('task-2')
export const result = { url: 'http://127.0.0.1:3001/v1/generations/task-1/image' }
export const evidence: Evidence = { reason: 'as a test has it' }
export const failure: Failure = { code: 'provider_failed', message: 'It could not be made.' }

export const image: StoredImage = {
  objectKey: 'artworks/01/image.png',
  sha256: 'ab'.repeat(32),
  contentType: 'image/png',
  width: 512,
  height: 512,
  sizeBytes: 1_234,
  blur: 'data:image/webp;base64,AA==',
}

export const generation: Generation = {
  model: 'simulator/proof',
  prompt: 'a red fox in the mountains',
  settings: { width: 512, height: 512, seed: 1 },
}

export const circumstances = (changed: Partial<Circumstances> = {}): Circumstances => ({
  ageMs: 5_000,
  stateAgeMs: 1_000,
  tries: 0,
  sends: 1,
  sendingAgeMs: 0,
  lastKind: 'recorded',
  lastEvidence: {},
  random: 0.5,
  compensateAfterMs: undefined,
  ...changed,
})

/** Every shape that what is known of an attempt can have. */
export const everyState: readonly AttemptState[] = [
  { state: 'initializing' },
  { state: 'submitting' },
  { state: 'pending', taskId },
  { state: 'status_unknown', taskId: undefined },
  { state: 'status_unknown', taskId },
  { state: 'delivering', taskId: undefined, result },
  { state: 'delivering', taskId, result },
  { state: 'storage_failed', taskId: undefined, result },
  { state: 'storage_failed', taskId, result },
  { state: 'completed', taskId: undefined },
  { state: 'completed', taskId },
  { state: 'failed', taskId: undefined, failure },
  { state: 'failed', taskId, failure },
]

const everyOutcome: readonly KnownOutcome[] = [
  { kind: 'accepted', taskId },
  { kind: 'accepted', taskId: otherTaskId },
  { kind: 'made-at', result: { from: 'store', sha256: 'ab'.repeat(32) } },
  { kind: 'failed', failure, evidence },
  { kind: 'rejected', failure, evidence },
  { kind: 'rejected-for-now', retryAfterMs: undefined, evidence },
  { kind: 'rejected-for-now', retryAfterMs: 2_000, evidence },
  { kind: 'rejected-for-now', retryAfterMs: 90_000, evidence },
  { kind: 'unknown', evidence },
]

/** Every kind of news, with every kind of answer in it. */
export const everyNews: readonly News[] = [
  ...everyOutcome.flatMap((outcome) =>
    [1, 2, 3].map((send) => ({ kind: 'submission', outcome, send }) as const),
  ),
  ...everyOutcome.map((outcome) => ({ kind: 'repeat', outcome }) as const),
  { kind: 'submission-lost' },
  { kind: 'lookup', lookup: { kind: 'found', taskId } },
  { kind: 'lookup', lookup: { kind: 'found', taskId: otherTaskId } },
  { kind: 'lookup', lookup: { kind: 'absent', reason: 'it knows no such task' } },
  { kind: 'lookup', lookup: { kind: 'unavailable', reason: 'it answered 503' } },
  {
    kind: 'lookup',
    lookup: { kind: 'unavailable', reason: 'it answered 429', retryAfterMs: 60_000 },
  },
  { kind: 'cancelling', outcome: { kind: 'cancelled' } },
  { kind: 'cancelling', outcome: { kind: 'asked' } },
  { kind: 'cancelling', outcome: { kind: 'too-late' } },
  { kind: 'cancelling', outcome: { kind: 'unavailable', reason: 'it answered 503' } },
  { kind: 'observation', observation: { kind: 'pending', progress: 0.5 } },
  { kind: 'observation', observation: { kind: 'pending', progress: undefined } },
  { kind: 'observation', observation: { kind: 'succeeded', result } },
  { kind: 'observation', observation: { kind: 'failed', failure } },
  { kind: 'observation', observation: { kind: 'unavailable', reason: 'it answered 503' } },
  {
    kind: 'observation',
    observation: { kind: 'unavailable', reason: 'it answered 429', retryAfterMs: 60_000 },
  },
  {
    kind: 'observation',
    observation: { kind: 'unavailable', reason: 'it answered 429', retryAfterMs: 1e12 },
  },
  { kind: 'observation', observation: { kind: 'missing', reason: 'it answered 404' } },
  { kind: 'delivery', outcome: { kind: 'stored', image } },
  { kind: 'delivery', outcome: { kind: 'not-yet', stage: 'fetch', reason: 'it answered 503' } },
  { kind: 'delivery', outcome: { kind: 'not-yet', stage: 'store', reason: 'the disk is full' } },
  { kind: 'delivery', outcome: { kind: 'gone', reason: 'it answered 403' } },
  { kind: 'delivery', outcome: { kind: 'unusable', reason: 'no image', sha256: 'ab'.repeat(32) } },
  { kind: 'task-reported', taskId },
  { kind: 'task-reported', taskId: otherTaskId },
  { kind: 'cancel-requested' },
  { kind: 'unsendable', reason: 'a reference image is not there any more' },
]

const sameUnusable = (times: number) => ({
  lastKind: 'unusable_result',
  lastEvidence: { sha256: 'ab'.repeat(32), times },
})

/** The circumstances that a decision tells apart, on both sides of each bound. */
export const everyCircumstances: readonly Circumstances[] = [
  circumstances(),
  circumstances({ ageMs: 0, stateAgeMs: 0, random: 0 }),
  circumstances({ ageMs: 90 * 86_400_000, stateAgeMs: 90 * 86_400_000, tries: 10_000 }),
  circumstances({ sends: 2, sendingAgeMs: 10_000, random: 0.999 }),
  circumstances({ sends: 3 }),
  circumstances({ sendingAgeMs: 31_000 }),
  circumstances({ lastKind: 'look_failed' }),
  circumstances({ lastKind: 'fetch_failed' }),
  circumstances({ lastKind: 'not_found_by_lookup' }),
  circumstances({ lastKind: 'lookup_failed' }),
  circumstances({ lastKind: 'store_failed' }),
  circumstances({ lastKind: 'result_expired' }),
  circumstances({ compensateAfterMs: 1_000 }),
  circumstances(sameUnusable(1)),
  circumstances(sameUnusable(2)),
  circumstances({
    lastKind: 'unusable_result',
    lastEvidence: { sha256: 'cd'.repeat(32), times: 2 },
  }),
]

export type Situation = {
  readonly state: AttemptState
  readonly news: News
  readonly given: Circumstances
}

/** Every state x every news x every circumstance. */
export const everySituation: readonly Situation[] = everyState.flatMap((state) =>
  everyNews.flatMap((news) => everyCircumstances.map((given) => ({ state, news, given }))),
)

/** A state the enumeration forgot would be one that nothing here proves. */
export const statesNotCovered = attemptStates.filter(
  (name) => !everyState.some(({ state }) => state === name),
)
