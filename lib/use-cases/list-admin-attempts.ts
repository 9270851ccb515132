import { findAdminList, searchAttempts, type AdminListRow } from '@/lib/db/admin-attempt-list'
import { AttemptStateName, statusWordOf } from '@/lib/domain/attempt'
import { AttemptId } from '@/lib/domain/ids'
import { mayReview } from '@/lib/domain/role'
import { providerKinds } from '@/lib/providers/registry'
import { ageBands, attemptMarks, type ListedAttemptView } from '@/lib/web/admin-views'
import type { Page } from '@/lib/web/views'
import type { Deps } from './deps'
import type { Admin } from './perform-admin-act'

const FOUND_MAX = 100
const WORD_LENGTH_MAX = 254

/** Of what list, as an address says it. What is none of the known words filters nothing. */
export type AdminAttemptsQuery = {
  readonly q?: string | undefined
  readonly state?: string | undefined
  readonly provider?: string | undefined
  readonly age?: string | undefined
  readonly with?: string | undefined
  readonly cursor?: string | undefined
}

/**
 * What is open, oldest first, or what something is the matter with. A search finds attempts in every
 * state by their own id, their request's, their task's, or their owner's e-mail.
 */
export async function listAdminAttempts(
  deps: Deps,
  admin: Admin,
  query: AdminAttemptsQuery & { readonly limit: number },
): Promise<Page<ListedAttemptView>> {
  if (!mayReview(admin.role)) return { data: [], next_cursor: null }
  const { limit } = query
  const word = query.q && plain(query.q)
  if (word) {
    const providers = providerKinds.map(({ name }) => name)
    const found = await searchAttempts(deps.db, word, providers, FOUND_MAX)
    return { data: found.map(listedView), next_cursor: null }
  }
  const rows = await findAdminList(deps.db, {
    of: attemptMarks.find((mark) => mark === query.with) ?? 'open',
    state: AttemptStateName.safeParse(query.state).data,
    provider: query.provider && plain(query.provider),
    age: ageBands.find((band) => band === query.age),
    newerThan: AttemptId.safeParse(query.cursor).data,
    limit,
  })
  const data = rows.slice(0, limit).map(listedView)
  return { data, next_cursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null }
}

/** As the database can look for it: an address may hold anything. */
const plain = (text: string) =>
  text.trim().slice(0, WORD_LENGTH_MAX).toWellFormed().replaceAll('\u0000', '\ufffd')

export function listedView(row: AdminListRow): ListedAttemptView {
  return {
    id: row.id,
    state: row.state,
    status: statusWordOf(row.state),
    provider: row.provider,
    model: row.model,
    account_email: row.email,
    held: row.settlement === null ? row.reserved_credits : 0,
    settlement: row.settlement,
    task_id: row.task_id,
    created_at: row.created_at.toISOString(),
    due_at: row.due_at?.toISOString() ?? null,
    last_kind: row.last_kind,
  }
}
