import { AccountId, AttemptId } from '@/lib/domain/ids'
import { EntryKind } from '@/lib/domain/ledger'
import type { Database } from './database'

export type Balance = {
  readonly available: number
  readonly held: number
  readonly spent: number
}

export async function findBalance(
  db: Database,
  accountId: AccountId,
): Promise<Balance | undefined> {
  const row = await db.prisma.account.findUnique({
    where: { id: accountId },
    select: { available: true, held: true, spent: true },
  })
  return row ?? undefined
}

const columns = {
  accountId: true,
  seq: true,
  kind: true,
  amount: true,
  attemptId: true,
  reason: true,
  availableAfter: true,
  heldAfter: true,
  spentAfter: true,
  createdAt: true,
  attempt: { select: { prompt: true } },
} as const

type RawEntry = {
  readonly accountId: string
  readonly seq: number
  readonly kind: string
  readonly amount: number
  readonly attemptId: string | null
  readonly reason: string | null
  readonly availableAfter: number
  readonly heldAfter: number
  readonly spentAfter: number
  readonly createdAt: Date
  readonly attempt: { readonly prompt: string } | null
}

export type EntryRow = ReturnType<typeof parseEntry>

function parseEntry(row: RawEntry) {
  return {
    ...row,
    accountId: AccountId.parse(row.accountId),
    kind: EntryKind.parse(row.kind),
    attemptId: AttemptId.nullable().parse(row.attemptId),
  }
}

/** One page of the account's lines, newest first, and one line more if there is a next page. */
export async function findEntryPage(
  db: Database,
  accountId: AccountId,
  page: { readonly olderThan: number | undefined; readonly limit: number },
): Promise<readonly EntryRow[]> {
  const rows = await db.prisma.ledgerEntry.findMany({
    where: { accountId, ...(page.olderThan !== undefined && { seq: { lt: page.olderThan } }) },
    orderBy: { seq: 'desc' },
    take: page.limit + 1,
    select: columns,
  })
  return rows.map(parseEntry)
}

export async function findEntriesOfAttempt(
  db: Database,
  attemptId: AttemptId,
): Promise<readonly EntryRow[]> {
  const rows = await db.prisma.ledgerEntry.findMany({
    where: { attemptId },
    orderBy: { seq: 'asc' },
    select: columns,
  })
  return rows.map(parseEntry)
}
