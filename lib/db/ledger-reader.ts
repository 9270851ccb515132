import { z } from 'zod'
import type { AllowanceDay } from '@/lib/domain/allowance'
import { AccountId, AttemptId } from '@/lib/domain/ids'
import { EntryKind } from '@/lib/domain/ledger'
import type { Database } from './database'

const BalanceRow = z.object({
  available: z.int(),
  held: z.int(),
  spent: z.int(),
  day: z.string(),
  units_held: z.int(),
  units_delivered: z.int(),
})

export type Balance = {
  readonly available: number
  readonly held: number
  readonly spent: number
  /** Today's free images, by the database's clock. */
  readonly allowance: Omit<AllowanceDay, 'limit'>
}

/**
 * Credits and today's allowance at one moment, in one round trip. A guest's account begins with its
 * first attempt: until then it has nothing.
 */
export async function findBalance(db: Database, accountId: AccountId): Promise<Balance> {
  const { rows } = await db.pool.query({
    name: 'find_balance',
    text: `select coalesce(a.available, 0) as available, coalesce(a.held, 0) as held,
                  coalesce(a.spent, 0) as spent, today.day::text,
                  coalesce(d.held, 0) as units_held, coalesce(d.delivered, 0) as units_delivered
           from (select (app_now() at time zone 'utc')::date as day) today
           left join account a on a.id = $1
           left join allowance_day d on d.account_id = a.id and d.day = today.day`,
    values: [accountId],
  })
  const { available, held, spent, ...today } = BalanceRow.parse(rows[0])
  return {
    available,
    held,
    spent,
    allowance: { day: today.day, held: today.units_held, delivered: today.units_delivered },
  }
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

/** The account's lines after one of them, oldest first. */
export async function findEntriesAfter(
  db: Database,
  accountId: AccountId,
  page: { readonly newerThan: number; readonly limit: number },
): Promise<readonly EntryRow[]> {
  const rows = await db.prisma.ledgerEntry.findMany({
    where: { accountId, seq: { gt: page.newerThan } },
    orderBy: { seq: 'asc' },
    take: page.limit,
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
