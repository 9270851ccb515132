import { z } from 'zod'
import { AccountId, type SessionId } from '@/lib/domain/ids'
import { Role } from '@/lib/domain/role'
import type { Database } from './database'

export type Identity = {
  readonly accountId: AccountId
  readonly email: string
  readonly name: string
  readonly role: Role
}

const Registered = z.object({ outcome: z.enum(['registered', 'email_taken']) })
const Granted = z.object({ outcome: z.enum(['granted', 'replayed', 'key_reused', 'no_account']) })
const Corrected = z.object({
  outcome: z.enum(['corrected', 'replayed', 'key_reused', 'insufficient_credits', 'no_account']),
})

/** Opens an account with its sign-up grant, or does nothing when the address has one already. */
export async function registerIdentity(
  db: Database,
  input: Identity & { readonly passwordHash: string; readonly signupCredits: number },
): Promise<'registered' | 'email_taken'> {
  const { rows } = await db.pool.query({
    name: 'register_user',
    text: 'select register_user($1, $2, $3, $4, $5, $6) as outcome',
    values: [
      input.accountId,
      input.email,
      input.name,
      input.passwordHash,
      input.role,
      input.signupCredits,
    ],
  })
  return Registered.parse(rows[0]).outcome
}

/** A line of the ledger that comes from outside. `sourceKey` makes it happen once. */
export type LedgerChange = {
  readonly accountId: AccountId
  readonly credits: number
  readonly sourceKey: string
  readonly actor: string
  readonly reason: string
}

/** Grants once per `sourceKey`, however often it is asked. `key_reused`: for something else. */
export async function grantCredits(
  db: Database,
  grant: LedgerChange,
): Promise<z.infer<typeof Granted>['outcome']> {
  const { rows } = await db.pool.query({
    name: 'grant_credits',
    text: 'select grant_credits($1, $2, $3, $4, $5) as outcome',
    values: [grant.accountId, grant.credits, grant.sourceKey, grant.actor, grant.reason],
  })
  return Granted.parse(rows[0]).outcome
}

/** As a grant, but its credits may be negative: down to nothing available, and no further. */
export async function correctCredits(
  db: Database,
  correction: LedgerChange,
): Promise<z.infer<typeof Corrected>['outcome']> {
  const { accountId, credits, sourceKey, actor, reason } = correction
  const { rows } = await db.pool.query({
    name: 'correct_credits',
    text: 'select correct_credits($1, $2, $3, $4, $5) as outcome',
    values: [accountId, credits, sourceKey, actor, reason],
  })
  return Corrected.parse(rows[0]).outcome
}

const IDENTITY_COLUMNS = { accountId: true, email: true, name: true, role: true } as const

function identityFrom(row: {
  readonly accountId: string
  readonly email: string
  readonly name: string
  readonly role: string
}): Identity {
  return {
    accountId: AccountId.parse(row.accountId),
    email: row.email,
    name: row.name,
    role: Role.parse(row.role),
  }
}

export async function findSignIn(
  db: Database,
  email: string,
): Promise<
  | (Identity & { readonly passwordHash: string | undefined; readonly suspended: boolean })
  | undefined
> {
  const row = await db.prisma.userIdentity.findUnique({
    where: { email },
    select: { ...IDENTITY_COLUMNS, passwordHash: true, account: { select: { status: true } } },
  })
  if (!row) return undefined
  return {
    ...identityFrom(row),
    passwordHash: row.passwordHash ?? undefined,
    suspended: row.account.status !== 'active',
  }
}

export async function insertSession(
  db: Database,
  session: {
    readonly id: SessionId
    readonly accountId: AccountId
    readonly expiresAt: Date
    readonly device?: string | undefined
  },
): Promise<void> {
  await db.prisma.session.create({
    data: { ...session, device: session.device ?? null },
    select: { id: true },
  })
}

export async function endSession(db: Database, id: SessionId): Promise<void> {
  await db.pool.query({
    name: 'end_session',
    text: 'update session set ended_at = app_now() where id = $1 and ended_at is null',
    values: [id],
  })
}

/** What an account is, or undefined when there is none yet: a guest's begins with its first attempt. */
export async function findAccountKind(
  db: Database,
  id: AccountId,
): Promise<{ readonly kind: 'user' | 'guest'; readonly suspended: boolean } | undefined> {
  const row = await db.prisma.account.findUnique({
    where: { id },
    select: { kind: true, status: true },
  })
  return row
    ? { kind: row.kind === 'guest' ? 'guest' : 'user', suspended: row.status !== 'active' }
    : undefined
}

const SessionRow = z.object({
  account_id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.string(),
})

/**
 * The person behind a session that has not ended, on an account that is not suspended. Its last use is
 * written at most once a minute, so that reading a page is not a write.
 */
export async function findSessionIdentity(
  db: Database,
  id: SessionId,
): Promise<Identity | undefined> {
  const { rows } = await db.pool.query({
    name: 'find_session',
    // The age is asked of the row itself: whoever waited for a concurrent write asks it again.
    text: `with standing as (
             select s.account_id, i.email, i.name, i.role
             from session s
             join account a on a.id = s.account_id and a.status = 'active'
             join user_identity i on i.account_id = s.account_id
             where s.id = $1 and s.ended_at is null and s.expires_at > app_now()
           ), used as (
             update session u set last_used_at = app_now()
             where u.id = $1 and exists (select from standing)
               and coalesce(u.last_used_at, u.created_at) < app_now() - interval '1 minute'
           )
           select account_id, email, name, role from standing`,
    values: [id],
  })
  if (rows.length === 0) return undefined
  const row = SessionRow.parse(rows[0])
  return identityFrom({ ...row, accountId: row.account_id })
}
