import { findEntriesAfter, type EntryRow } from '@/lib/db/ledger-reader'
import { csvLine } from '@/lib/domain/csv'
import type { AccountId } from '@/lib/domain/ids'
import type { EntryKind } from '@/lib/domain/ledger'
import type { Deps } from './deps'
import { entryView } from './read-ledger'

const LINES_AT_ONCE = 500

// The words of the page, so that nobody has to learn others for the file.
const WORD: Record<EntryKind, string> = {
  granted: 'Granted',
  corrected: 'Corrected',
  reserved: 'Hold',
  settled: 'Charged',
  released: 'Released',
  compensated: 'Compensated',
  purchased: 'Bought',
  refunded: 'Refunded',
  disputed: 'Disputed',
  reinstated: 'Given back',
}

const HEADINGS = [
  'Line',
  'Time (UTC)',
  'What',
  'Credits',
  'Available after',
  'On hold after',
  'Spent after',
  'Image',
  'Prompt',
  'Reason',
]

// Without it spreadsheets take the text for one of another encoding.
const BYTE_ORDER_MARK = '\ufeff'

/** The whole statement as CSV, oldest line first, read as it is sent. */
export function exportStatement(
  deps: Pick<Deps, 'db'>,
  accountId: AccountId,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let lastSeq = 0
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(encoder.encode(BYTE_ORDER_MARK + csvLine(HEADINGS)))
    },
    pull: async (controller) => {
      const page = { newerThan: lastSeq, limit: LINES_AT_ONCE }
      const entries = await findEntriesAfter(deps.db, accountId, page)
      if (entries.length > 0) controller.enqueue(encoder.encode(entries.map(lineOf).join('')))
      lastSeq = entries.at(-1)?.seq ?? lastSeq
      if (entries.length < LINES_AT_ONCE) controller.close()
    },
  })
}

function lineOf(row: EntryRow): string {
  const entry = entryView(row)
  return csvLine([
    entry.seq,
    entry.created_at,
    WORD[entry.kind],
    entry.amount,
    entry.available_after,
    entry.held_after,
    entry.spent_after,
    entry.attempt_id,
    entry.prompt,
    entry.reason,
  ])
}
