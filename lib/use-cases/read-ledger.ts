import { findBalance, findEntryPage, type Balance, type EntryRow } from '@/lib/db/ledger-reader'
import { remainingOf, resetsAt } from '@/lib/domain/allowance'
import type { AccountId } from '@/lib/domain/ids'
import type { BalanceView, LedgerEntryView, Page } from '@/lib/web/views'
import type { Deps } from './deps'

export function balanceView(
  { available, held, spent, allowance }: Balance,
  dailyAllowance: number,
): BalanceView {
  const day = { ...allowance, limit: dailyAllowance }
  return {
    granted: available + held + spent,
    available,
    held,
    spent,
    allowance: {
      ...day,
      remaining: remainingOf(day),
      resets_at: resetsAt(day).toISOString(),
    },
  }
}

export async function readBalance(deps: Deps, accountId: AccountId): Promise<BalanceView> {
  return balanceView(await findBalance(deps.db, accountId), deps.dailyAllowance)
}

export function entryView(row: EntryRow): LedgerEntryView {
  return {
    seq: row.seq,
    kind: row.kind,
    amount: row.amount,
    attempt_id: row.attemptId,
    prompt: row.attempt?.prompt ?? null,
    // Why an operator decided about an attempt is for the admins' history; the kind says what was decided.
    reason: row.attemptId === null ? row.reason : null,
    available_after: row.availableAfter,
    held_after: row.heldAfter,
    spent_after: row.spentAfter,
    created_at: row.createdAt.toISOString(),
  }
}

/** The account's statement, newest line first. A cursor that is none starts at the newest line. */
export async function readStatement(
  deps: Deps,
  accountId: AccountId,
  page: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<Page<LedgerEntryView>> {
  const olderThan = /^\d{1,9}$/.test(page.cursor ?? '') ? Number(page.cursor) : undefined
  const rows = await findEntryPage(deps.db, accountId, { olderThan, limit: page.limit })
  const data = rows.slice(0, page.limit).map(entryView)
  const last = data.at(-1)
  return { data, next_cursor: rows.length > page.limit && last ? String(last.seq) : null }
}
