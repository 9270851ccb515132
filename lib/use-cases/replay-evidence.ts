import { z } from 'zod'
import { recordUsage } from '@/lib/db/attempt-store'
import { FailureCode, ResultRef, type AttemptKey } from '@/lib/domain/attempt'
import type { KnownOutcome, News } from '@/lib/domain/decision'
import { AccountId, AttemptId, TaskId } from '@/lib/domain/ids'
import type { SubmitOutcome, Usage } from '@/lib/domain/observation'
import { secureImage } from './deliver-result'
import type { WorkerDeps } from './deps'
import { recordNews } from './record-news'

const Evidence = z.object({
  reason: z.string(),
  httpStatus: z.number().exactOptional(),
  errorCode: z.string().exactOptional(),
  body: z.string().exactOptional(),
})
const Failure = z.object({ code: FailureCode, message: z.string() })

const KeptOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('accepted'), taskId: TaskId }),
  z.object({ kind: z.literal('made-at'), result: ResultRef }),
  z
    .object({ kind: z.literal('made'), image: z.base64() })
    .transform(({ kind, image }) => ({ kind, image: Buffer.from(image, 'base64') })),
  z.object({ kind: z.literal('failed'), failure: Failure, evidence: Evidence }),
  z.object({ kind: z.literal('rejected'), failure: Failure, evidence: Evidence }),
  z
    .object({
      kind: z.literal('rejected-for-now'),
      retryAfterMs: z.number().optional(),
      evidence: Evidence,
    })
    // JSON has no undefined: what it left out is put back.
    .transform((outcome) => ({ ...outcome, retryAfterMs: outcome.retryAfterMs })),
  z.object({ kind: z.literal('unknown'), evidence: Evidence }),
])

const KeptUsage = z
  .object({
    address: z.string(),
    requestSha256: z.string(),
    requestBytes: z.int(),
    httpStatus: z.int().optional(),
    providerRequestId: z.string().optional(),
    cost: z.object({ amount: z.number(), unit: z.string() }).optional(),
  })
  // JSON has no undefined: what it left out is put back.
  .transform((usage) => ({
    ...usage,
    httpStatus: usage.httpStatus,
    providerRequestId: usage.providerRequestId,
    cost: usage.cost,
  }))

/** The answer to a submission, as it waits on the disk. Without `send` it was the same POST again. */
const KeptAnswer = z.object({
  key: z.object({ id: AttemptId, accountId: AccountId }),
  send: z.int().optional(),
  outcome: KeptOutcome,
  usage: KeptUsage,
})

/** What an answer is news of: of the given send, or of the same POST again. */
export function answerNews(outcome: KnownOutcome, send: number | undefined): News {
  return send === undefined ? { kind: 'repeat', outcome } : { kind: 'submission', outcome, send }
}

/** Keeps an answer on the disk, and with it an image that exists nowhere else. */
export async function keepEvidence(
  deps: Pick<WorkerDeps, 'evidence'>,
  key: AttemptKey,
  {
    send,
    outcome,
    usage,
  }: {
    readonly send: number | undefined
    readonly outcome: SubmitOutcome
    readonly usage: Usage
  },
): Promise<void> {
  const kept =
    outcome.kind === 'made'
      ? { kind: outcome.kind, image: outcome.image.toString('base64') }
      : outcome
  await deps.evidence.keep({ key, send, outcome: kept, usage })
}

/**
 * Tells the database what it could not be told before. It is evidence, not an act: the lease that
 * it was learned under may be long over. A piece is removed only once it is recorded.
 */
export async function replayEvidence(deps: WorkerDeps): Promise<void> {
  for (const name of await deps.evidence.list()) {
    const kept = KeptAnswer.safeParse(await deps.evidence.read(name))
    if (!kept.success) {
      deps.log.error({ name, problem: kept.error.message }, 'evidence not readable')
      continue
    }
    const { key, send, usage } = kept.data
    const outcome = await knownOutcomeOf(deps, key, kept.data.outcome)
    if (!outcome) continue
    await recordNews(deps, key, answerNews(outcome, send), deps.workerId)
    await recordUsage(deps.db, key, { number: send, outcome: kept.data.outcome.kind, usage })
    await deps.evidence.remove(name)
    deps.log.info({ attemptId: key.id, outcome: outcome.kind }, 'evidence replayed')
  }
}

/** Undefined while an image of it can still be kept nowhere but here. */
async function knownOutcomeOf(
  deps: WorkerDeps,
  key: AttemptKey,
  outcome: z.infer<typeof KeptOutcome>,
): Promise<KnownOutcome | undefined> {
  if (outcome.kind !== 'made') return outcome
  const result = await secureImage(deps, key, outcome.image)
  return result && { kind: 'made-at', result }
}
