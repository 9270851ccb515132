import { findPrompts } from '@/lib/db/prompt-reader'
import type { AccountId } from '@/lib/domain/ids'
import type { Deps } from './deps'

const PROMPTS_MAX = 100
// Somebody who makes the same thing again and again has fewer prompts than this many attempts hold.
const ATTEMPTS_MAX = 1_000

/** The account's own prompts, exactly as they were typed, the latest used first and each once. */
export async function readPrompts(deps: Deps, accountId: AccountId): Promise<readonly string[]> {
  return findPrompts(deps.db, accountId, { attempts: ATTEMPTS_MAX, prompts: PROMPTS_MAX })
}
