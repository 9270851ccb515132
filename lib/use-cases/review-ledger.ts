import { findLedgerAfter, type LedgerRow } from '@/lib/db/settings-store'
import { csvLine } from '@/lib/domain/csv'
import { ok, refuse, type Result } from '@/lib/domain/result'
import { mayAudit, mayReview } from '@/lib/domain/role'
import type { AuditView, DifferenceView } from '@/lib/web/admin-views'
import type { AdminPurchaseView, PaymentTroubleView } from '@/lib/web/purchase-views'
import type { Deps } from './deps'
import type { Admin } from './perform-admin-act'
import { readPaymentTroubles } from './read-purchases'
import { readAudits, recordAudit } from './watch'

const AUDITS_SHOWN_MAX = 50
const DIFFERENCES_SHOWN_MAX = 200
const LINES_AT_ONCE = 1_000
const BYTE_ORDER_MARK = '\ufeff'

/** What audits found, newest first, and which payments do not fit. Undefined for who may not read it. */
export async function reviewLedger(
  deps: Deps,
  admin: Admin,
): Promise<
  | {
      readonly audits: readonly AuditView[]
      readonly owing: readonly AdminPurchaseView[]
      readonly events: readonly PaymentTroubleView[]
      readonly may_audit: boolean
    }
  | undefined
> {
  if (!mayReview(admin.role)) return undefined
  const [audits, troubles] = await Promise.all([
    readAudits(deps, AUDITS_SHOWN_MAX),
    readPaymentTroubles(deps),
  ])
  return {
    audits: audits.map(({ ran_at: ranAt, ...row }) => ({ ...row, ran_at: ranAt.toISOString() })),
    ...troubles,
    may_audit: mayAudit(admin.role),
  }
}

/** Computes every balance anew now, and keeps what it found. Changes nothing else. */
export async function auditNow(
  deps: Deps,
  admin: Admin,
): Promise<
  Result<
    { readonly differences: readonly DifferenceView[]; readonly summary: string },
    { readonly code: 'not-admin'; readonly message: string }
  >
> {
  if (!mayAudit(admin.role)) {
    return refuse({ code: 'not-admin', message: 'Your role may not do this.' })
  }
  const audit = await recordAudit(deps, `${admin.role}:${admin.email}`.slice(0, 200))
  const { entries, attempts, accounts } = audit.checked
  const found = audit.ok ? 'No differences' : `${audit.violations.length} differences`
  const [ofEntries, ofAttempts, ofAccounts] = [entries, attempts, accounts].map((count) =>
    count.toLocaleString('en'),
  )
  return ok({
    differences: audit.violations.slice(0, DIFFERENCES_SHOWN_MAX),
    summary: `${found} in ${ofEntries} ledger lines, ${ofAttempts} attempts and ${ofAccounts} accounts.`,
  })
}

const HEADINGS = [
  'Account',
  'Line',
  'Time (UTC)',
  'Kind',
  'Credits',
  'Attempt',
  'By',
  'Reason',
  'Available after',
  'Held after',
  'Spent after',
]

/** Every line of every account as CSV, read as it is sent. Undefined for who may not read it. */
export function exportLedger(deps: Deps, admin: Admin): ReadableStream<Uint8Array> | undefined {
  if (!mayReview(admin.role)) return undefined
  const encoder = new TextEncoder()
  let last: LedgerRow | undefined
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(encoder.encode(BYTE_ORDER_MARK + csvLine(HEADINGS)))
    },
    pull: async (controller) => {
      const rows = await findLedgerAfter(deps.db, last, LINES_AT_ONCE)
      if (rows.length > 0) controller.enqueue(encoder.encode(rows.map(lineOf).join('')))
      last = rows.at(-1) ?? last
      if (rows.length < LINES_AT_ONCE) controller.close()
    },
  })
}

const lineOf = (row: LedgerRow) =>
  csvLine([
    row.account_id,
    row.seq,
    row.created_at.toISOString(),
    row.kind,
    row.amount,
    row.attempt_id,
    row.actor,
    row.reason,
    row.available_after,
    row.held_after,
    row.spent_after,
  ])
