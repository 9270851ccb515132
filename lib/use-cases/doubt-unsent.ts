import { beginSubmission } from '@/lib/db/attempt-store'
import { findUnsent } from '@/lib/db/recovery-store'
import type { AttemptId } from '@/lib/domain/ids'
import type { Deps } from './deps'

/**
 * For a database that was restored to an earlier moment: what looks unsent may have been sent after
 * that moment, and to send it again could buy it twice. Each such attempt is taken as sent, so that
 * it is looked for as a lost answer is, and never sent by guess. Answers which.
 */
export async function doubtUnsent(
  deps: Pick<Deps, 'db' | 'log'>,
  actor: string,
): Promise<readonly AttemptId[]> {
  const doubted: AttemptId[] = []
  for (const unsent of await findUnsent(deps.db)) {
    // The lease is over at once: the next worker finds it as if the one before had died while sending.
    if ((await beginSubmission(deps.db, unsent, 0, actor)) !== 'applied') continue
    doubted.push(unsent.key.id)
  }
  deps.log.warn({ actor, attempts: doubted.length }, 'unsent attempts doubted')
  return doubted
}
