import {
  findAccountForReview,
  findAccountsByEmail,
  type AdminAccountRow,
} from '@/lib/db/admin-account-reader'
import { findNewestOf } from '@/lib/db/admin-attempt-list'
import { findRequestsOf } from '@/lib/db/credit-request-store'
import { findPurchasesOf } from '@/lib/db/purchase-reader'
import { mayReadPrompts } from '@/lib/db/admin-log-reader'
import { AccountId } from '@/lib/domain/ids'
import { mayReview } from '@/lib/domain/role'
import type { AccountReviewView, AccountRowView } from '@/lib/web/admin-views'
import type { Deps } from './deps'
import { listedView } from './list-admin-attempts'
import type { Admin } from './perform-admin-act'
import { readStatement } from './read-ledger'
import { adminPurchaseView } from './read-purchases'
import { requestView } from './credit-request-view'

const FOUND_MAX = 50
const ATTEMPTS_SHOWN_MAX = 20
const REQUESTS_SHOWN_MAX = 20
const PURCHASES_SHOWN_MAX = 50
const EMAIL_LENGTH_MAX = 254

/** Accounts whose e-mail begins so. `more`: there are others, so more of it has to be typed. */
export async function searchAccounts(
  deps: Deps,
  admin: Admin,
  typed: string | undefined,
): Promise<{ readonly data: readonly AccountRowView[]; readonly more: boolean }> {
  if (!mayReview(admin.role)) return { data: [], more: false }
  const begins = (typed ?? '').trim().toLowerCase().slice(0, EMAIL_LENGTH_MAX)
  const rows = await findAccountsByEmail(
    deps.db,
    begins.toWellFormed().replaceAll('\u0000', '\ufffd'),
    FOUND_MAX,
  )
  return { data: rows.slice(0, FOUND_MAX).map(rowView), more: rows.length > FOUND_MAX }
}

/** One account, without what it wrote unless a reason to read that was recorded. */
export async function reviewAccount(
  deps: Deps,
  admin: Admin,
  id: string,
  page: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<AccountReviewView | undefined> {
  const accountId = AccountId.safeParse(id).data
  if (!mayReview(admin.role) || !accountId) return undefined
  const found = await findAccountForReview(deps.db, accountId)
  if (!found) return undefined
  const [statement, attempts, showsPrompts, requests, purchases] = await Promise.all([
    readStatement(deps, accountId, page),
    findNewestOf(deps.db, accountId, ATTEMPTS_SHOWN_MAX),
    mayReadPrompts(deps.db, admin.accountId, accountId),
    findRequestsOf(deps.db, accountId, REQUESTS_SHOWN_MAX),
    findPurchasesOf(deps.db, accountId, PURCHASES_SHOWN_MAX),
  ])
  return {
    ...rowView(found),
    granted: found.available + found.held + found.spent,
    open_sessions: found.open_sessions,
    is_own: accountId === admin.accountId,
    shows_prompts: showsPrompts,
    viewer: admin.role,
    requests: requests.map((request) => requestView(request, admin)),
    purchases: purchases.map(adminPurchaseView),
    statement: {
      ...statement,
      data: statement.data.map((entry) => ({ ...entry, prompt: null })),
    },
    attempts: attempts.map((row) => ({
      ...listedView(row),
      prompt: showsPrompts ? row.prompt : null,
    })),
  }
}

function rowView({ created_at: createdAt, ...row }: AdminAccountRow): AccountRowView {
  const { id, email, role, status, available, held, spent } = row
  return { id, email, role, status, available, held, spent, created_at: createdAt.toISOString() }
}
