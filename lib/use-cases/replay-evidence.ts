import { z } from 'zod'
import { FailureCode, type AttemptKey } from '@/lib/domain/attempt'
import type { News } from '@/lib/domain/decide'
import { AccountId, AttemptId, TaskId } from '@/lib/domain/ids'
import type { WorkerDeps } from './deps'
import { recordNews } from './record-news'

const Evidence = z.object({
  reason: z.string(),
  httpStatus: z.number().exactOptional(),
  errorCode: z.string().exactOptional(),
  body: z.string().exactOptional(),
})

/** The answer to a submission, as it waits on the disk. */
const KeptAnswer = z.object({
  key: z.object({ id: AttemptId, accountId: AccountId }),
  send: z.int(),
  outcome: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('accepted'), taskId: TaskId }),
    z.object({
      kind: z.literal('rejected'),
      failure: z.object({ code: FailureCode, message: z.string() }),
      evidence: Evidence,
    }),
    z
      .object({
        kind: z.literal('rejected-for-now'),
        retryAfterMs: z.number().optional(),
        evidence: Evidence,
      })
      // JSON has no undefined: what it left out is put back.
      .transform((outcome) => ({ ...outcome, retryAfterMs: outcome.retryAfterMs })),
    z.object({ kind: z.literal('unknown'), evidence: Evidence }),
  ]),
})

export async function keepEvidence(
  deps: Pick<WorkerDeps, 'evidence'>,
  key: AttemptKey,
  news: Extract<News, { kind: 'submission' }>,
): Promise<void> {
  await deps.evidence.keep({ key, send: news.send, outcome: news.outcome })
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
    const { key, send, outcome } = kept.data
    await recordNews(deps, key, { kind: 'submission', outcome, send }, deps.workerId)
    await deps.evidence.remove(name)
    deps.log.info({ attemptId: key.id, outcome: outcome.kind }, 'evidence replayed')
  }
}
