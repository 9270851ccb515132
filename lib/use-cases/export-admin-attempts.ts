import { csvLine } from '@/lib/domain/csv'
import { mayReview } from '@/lib/domain/role'
import type { Deps } from './deps'
import { listAdminAttempts, type AdminAttemptsQuery } from './list-admin-attempts'
import type { Admin } from './perform-admin-act'

const LINES_AT_ONCE = 500
// Without it spreadsheets take the text for one of another encoding.
const BYTE_ORDER_MARK = '\ufeff'

const HEADINGS = [
  'Attempt',
  'State',
  'Settlement',
  'Credits held',
  'Account',
  'Provider',
  'Model',
  'Task',
  'Created (UTC)',
  'Next look (UTC)',
  'Newest line of history',
]

/** The whole list as CSV, in its order, read as it is sent. Undefined for who may not read it. */
export function exportAdminAttempts(
  deps: Deps,
  admin: Admin,
  query: AdminAttemptsQuery,
): ReadableStream<Uint8Array> | undefined {
  if (!mayReview(admin.role)) return undefined
  const encoder = new TextEncoder()
  let cursor: string | undefined
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(encoder.encode(BYTE_ORDER_MARK + csvLine(HEADINGS)))
    },
    pull: async (controller) => {
      const page = await listAdminAttempts(deps, admin, { ...query, cursor, limit: LINES_AT_ONCE })
      const lines = page.data.map((row) =>
        csvLine([
          row.id,
          row.state,
          row.settlement,
          row.held,
          row.account_email,
          row.provider,
          row.model,
          row.task_id,
          row.created_at,
          row.due_at,
          row.last_kind,
        ]),
      )
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.join('')))
      cursor = page.next_cursor ?? undefined
      if (cursor === undefined) controller.close()
    },
  })
}
