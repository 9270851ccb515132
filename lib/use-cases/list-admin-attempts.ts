import { findAccountsByEmail } from '@/lib/db/admin-account-reader'
import {
  findAdminList,
  searchAttempts,
  type AdminListPlace,
  type AdminListRow,
} from '@/lib/db/admin-attempt-list'
import { AttemptStateName, statusWordOf } from '@/lib/domain/attempt'
import { AccountId, AttemptId } from '@/lib/domain/ids'
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
  readonly model?: string | undefined
  /** What its newest line of history is, or what it failed with. */
  readonly code?: string | undefined
  /** An account's id or whole e-mail. */
  readonly account?: string | undefined
  readonly age?: string | undefined
  readonly with?: string | undefined
  /** `amount`: what reserves most first; else by age. */
  readonly sort?: string | undefined
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
  const accountId = query.account && (await accountOf(deps, plain(query.account)))
  if (query.account && !accountId) return { data: [], next_cursor: null }
  const rows = await findAdminList(deps.db, {
    of: attemptMarks.find((mark) => mark === query.with) ?? 'open',
    state: AttemptStateName.safeParse(query.state).data,
    provider: query.provider && plain(query.provider),
    model: query.model && plain(query.model),
    code: query.code && plain(query.code),
    accountId: accountId || undefined,
    age: ageBands.find((band) => band === query.age),
    sort: query.sort === 'amount' ? 'amount' : 'age',
    after: placeOf(query.cursor),
    limit,
  })
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    data: rows.slice(0, limit).map(listedView),
    next_cursor: last ? `${last.reserved_credits}.${last.id}` : null,
  }
}

/** Where a page ended, as its cursor says it: what it reserves, and its id. */
function placeOf(cursor: string | undefined): AdminListPlace | undefined {
  const [, credits = '', text] = /^(\d{1,9})\.(.+)$/.exec(cursor ?? '') ?? []
  const id = AttemptId.safeParse(text).data
  return id && { id, credits: Number(credits) }
}

async function accountOf({ db }: Deps, word: string): Promise<AccountId | undefined> {
  const id = AccountId.safeParse(word.toLowerCase()).data
  if (id) return id
  const email = word.toLowerCase()
  const [found] = await findAccountsByEmail(db, email, 1)
  return found?.email === email ? found.id : undefined
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
