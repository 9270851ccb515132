import { AttemptStateName, FailureCode, isFinal, SettlementKind } from '@/lib/domain/attempt'
import { Settings } from '@/lib/domain/generation'
import { AccountId, AttemptId, RequestId } from '@/lib/domain/ids'
import type { Database } from './database'
import type { Prisma } from './generated/client'

const OPEN_STATES = AttemptStateName.options.filter((state) => !isFinal(state))

/** Columns that a person may see of an attempt; hashes and tokens are not among them. */
const columns = {
  id: true,
  accountId: true,
  requestId: true,
  provider: true,
  model: true,
  prompt: true,
  settings: true,
  price: true,
  reservedCredits: true,
  state: true,
  version: true,
  settlement: true,
  failureCode: true,
  failureMessage: true,
  taskId: true,
  createdAt: true,
  updatedAt: true,
  artwork: {
    select: {
      objectKey: true,
      sha256: true,
      contentType: true,
      width: true,
      height: true,
      sizeBytes: true,
      blur: true,
      deleted: { select: { deletedAt: true } },
    },
  },
  work: {
    select: {
      dueAt: true,
      leaseUntil: true,
      tries: true,
      epoch: true,
      progress: true,
      lookedAt: true,
      cancel: true,
    },
  },
} as const satisfies Prisma.AttemptSelect

type RawAttempt = Prisma.AttemptGetPayload<{ select: typeof columns }>

export type AttemptRow = ReturnType<typeof parseAttempt>

/** Rows are parsed once, here: a row that does not fit is a bug, not a guess. */
function parseAttempt(row: RawAttempt) {
  return {
    ...row,
    id: AttemptId.parse(row.id),
    accountId: AccountId.parse(row.accountId),
    requestId: RequestId.parse(row.requestId),
    settings: Settings.parse(row.settings),
    state: AttemptStateName.parse(row.state),
    settlement: SettlementKind.nullable().parse(row.settlement),
    failureCode: FailureCode.nullable().parse(row.failureCode),
    artwork: row.artwork && {
      ...row.artwork,
      sha256: Buffer.from(row.artwork.sha256).toString('hex'),
    },
  }
}

const newestFirst = { id: 'desc' } as const

/** What its owner deleted is in no list of pictures. Its attempt is still found by its id. */
const isKept = {
  NOT: { artwork: { is: { deleted: { isNot: null } } } },
} as const satisfies Prisma.AttemptWhereInput

export async function findAttempts(
  db: Database,
  accountId: AccountId,
  ids: readonly AttemptId[],
): Promise<readonly AttemptRow[]> {
  const rows = await db.prisma.attempt.findMany({
    where: { accountId, id: { in: [...ids] } },
    orderBy: newestFirst,
    select: columns,
  })
  return rows.map(parseAttempt)
}

/** The newest attempts, and besides them every one whose outcome is open, up to a bound. */
export async function findRecentAttempts(
  db: Database,
  accountId: AccountId,
  limits: { readonly newest: number; readonly open: number },
): Promise<readonly AttemptRow[]> {
  const [newest, open] = await Promise.all([
    db.prisma.attempt.findMany({
      where: { accountId, ...isKept },
      orderBy: newestFirst,
      take: limits.newest,
      select: columns,
    }),
    db.prisma.attempt.findMany({
      where: { accountId, state: { in: OPEN_STATES } },
      orderBy: newestFirst,
      take: limits.open,
      select: columns,
    }),
  ])
  const seen = new Set(newest.map(({ id }) => id))
  return [...newest, ...open.filter(({ id }) => !seen.has(id))].map(parseAttempt)
}

/** One page, newest first, of those older than the cursor. One row more than asked tells of a next page. */
export async function findAttemptPage(
  db: Database,
  accountId: AccountId,
  page: {
    readonly olderThan: AttemptId | undefined
    readonly limit: number
    readonly state?: AttemptStateName | undefined
    readonly requestId?: RequestId | undefined
  },
): Promise<readonly AttemptRow[]> {
  const rows = await db.prisma.attempt.findMany({
    where: {
      accountId,
      ...(page.olderThan && { id: { lt: page.olderThan } }),
      ...(page.state && { state: page.state }),
      ...(page.requestId && { requestId: page.requestId }),
    },
    orderBy: newestFirst,
    take: page.limit + 1,
    select: columns,
  })
  return rows.map(parseAttempt)
}

/** The ids of the account's attempts next to this one in time. */
export async function findNeighbours(
  db: Database,
  accountId: AccountId,
  id: AttemptId,
): Promise<{ readonly newer: string | null; readonly older: string | null }> {
  const [newer, older] = await Promise.all([
    db.prisma.attempt.findFirst({
      where: { accountId, id: { gt: id }, ...isKept },
      orderBy: { id: 'asc' },
      select: { id: true },
    }),
    db.prisma.attempt.findFirst({
      where: { accountId, id: { lt: id }, ...isKept },
      orderBy: newestFirst,
      select: { id: true },
    }),
  ])
  return { newer: newer?.id ?? null, older: older?.id ?? null }
}

export type EventRow = {
  readonly seq: number
  readonly fromState: AttemptStateName | null
  readonly toState: AttemptStateName
  readonly kind: string
  readonly actor: string
  readonly evidence: unknown
  readonly createdAt: Date
}

export async function findEvents(db: Database, id: AttemptId): Promise<readonly EventRow[]> {
  const rows = await db.prisma.attemptEvent.findMany({
    where: { attemptId: id },
    orderBy: { seq: 'asc' },
    select: {
      seq: true,
      fromState: true,
      toState: true,
      kind: true,
      actor: true,
      evidence: true,
      createdAt: true,
    },
  })
  return rows.map((row) => ({
    ...row,
    fromState: AttemptStateName.nullable().parse(row.fromState),
    toState: AttemptStateName.parse(row.toState),
  }))
}

/** Any account's attempt, for a review. */
export async function findAttemptForReview(db: Database, id: AttemptId) {
  const row = await db.prisma.attempt.findFirst({
    where: { id },
    select: {
      ...columns,
      submission: { select: { sends: true, firstSentAt: true, lastSentAt: true } },
      account: { select: { identity: { select: { email: true } } } },
    },
  })
  return (
    row && {
      attempt: parseAttempt(row),
      submission: row.submission,
      email: row.account.identity?.email ?? null,
    }
  )
}

/** Every POST of an attempt, in order, with what is known of its answer. */
export async function findUsage(db: Database, attemptId: AttemptId) {
  const rows = await db.prisma.usageRecord.findMany({
    where: { attemptId },
    orderBy: { number: 'asc' },
    select: {
      number: true,
      kind: true,
      sentAt: true,
      outcome: true,
      answeredAt: true,
      address: true,
      requestSha256: true,
      requestBytes: true,
      httpStatus: true,
      providerRequestId: true,
      costAmount: true,
      costUnit: true,
    },
  })
  return rows.map(({ requestSha256, costAmount, ...row }) => ({
    ...row,
    requestSha256: requestSha256 && Buffer.from(requestSha256).toString('hex'),
    costAmount: costAmount?.toNumber() ?? null,
  }))
}
export type UsageRow = Awaited<ReturnType<typeof findUsage>>[number]
