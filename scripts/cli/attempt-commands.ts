import { z } from 'zod'
import { findAttemptList } from '@/lib/db/attempt-list-reader'
import { AttemptStateName, statusWordOf } from '@/lib/domain/attempt'
import { AttemptId, TaskId } from '@/lib/domain/ids'
import { auditLedger } from '@/lib/use-cases/audit-ledger'
import { doubtUnsent } from '@/lib/use-cases/doubt-unsent'
import { reconcileAttempt, type Reconciliation } from '@/lib/use-cases/reconcile-attempt'
import { readAttemptForReview } from '@/lib/use-cases/review-attempts'
import { operatorName, Reason } from './account-commands'
import { CliError, UsageError } from './cli-error'
import { command, done } from './command'

// As many as are read at a terminal. More are paged by the last id.
const LISTED_DEFAULT = 100
const LISTED_MAX = 1_000

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const Unit = z.enum(['s', 'm', 'h', 'd'])

const Duration = z
  .string()
  .regex(/^\d{1,6}[smhd]$/, 'expected a time like 90s, 10m, 2h or 7d')
  .transform((text) => Number.parseInt(text) * UNIT_MS[Unit.parse(text.at(-1))])

const show = command({
  words: ['attempt', 'show'],
  usage: 'attempt show ID',
  input: z.strictObject({ id: z.string('expected an id') }),
  run: async (deps, { id }) => {
    const review = await readAttemptForReview(deps, id)
    if (!review) throw new CliError(`There is no attempt ${id}.`)
    return done(review)
  },
})

const list = command({
  words: ['attempt', 'list'],
  usage: 'attempt list [--state S] [--older-than 10m] [--limit N] [--cursor C]   (newest first)',
  input: z.strictObject({
    state: AttemptStateName.optional(),
    'older-than': Duration.optional(),
    limit: z
      .string()
      .regex(/^\d{1,4}$/, `expected a whole number from 1 to ${LISTED_MAX}`)
      .transform(Number)
      .pipe(z.int().min(1).max(LISTED_MAX))
      .default(LISTED_DEFAULT),
    cursor: AttemptId.optional(),
  }),
  run: async (deps, { state, limit, cursor, 'older-than': olderThanMs }) => {
    const rows = await findAttemptList(deps.db, { state, olderThanMs, cursor, limit })
    const data = rows.slice(0, limit).map((row) => ({ ...row, status: statusWordOf(row.state) }))
    return done({ data, next_cursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null })
  },
})

const reconcile = command({
  words: ['attempt', 'reconcile'],
  usage:
    'attempt reconcile ID --action look-again|compensate|fail|attach-task --reason R [--task T]   (a worker makes sure of T first)',
  input: z.strictObject({
    id: z.string('expected an id'),
    action: z.enum(['look-again', 'compensate', 'fail', 'attach-task']),
    reason: Reason,
    task: TaskId.optional(),
  }),
  run: async (deps, { id, action, reason, task }) => {
    const reconciliation = reconciliationOf(action, reason, task)
    const result = await reconcileAttempt(deps, id, reconciliation, operatorName())
    if (!result.ok) throw new CliError(result.refusal.message)
    return done(result.value)
  },
})

function reconciliationOf(
  action: Reconciliation['kind'],
  reason: string,
  taskId: TaskId | undefined,
): Reconciliation {
  if (action !== 'attach-task') {
    if (taskId !== undefined) throw new UsageError('--task: only with --action attach-task')
    return { kind: action, reason }
  }
  if (taskId === undefined) throw new UsageError('--task: expected the task found at the provider')
  return { kind: action, reason, taskId }
}

const doubt = command({
  words: ['attempt', 'doubt-unsent'],
  usage: 'attempt doubt-unsent   (after a restore, before workers: what looks unsent may be sent)',
  input: z.strictObject({}),
  run: async (deps) => done({ doubted: await doubtUnsent(deps, operatorName()) }),
})

const audit = command({
  words: ['audit'],
  usage: 'audit   (exit code 1 when anything does not add up)',
  input: z.strictObject({}),
  run: async (deps) => {
    const report = await auditLedger(deps)
    return { output: report, ok: report.ok }
  },
})

export const attemptCommands = [show, list, reconcile, doubt, audit] as const
