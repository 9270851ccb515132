import { z } from 'zod'
import type { AccountId, SessionId } from '@/lib/domain/ids'
import type { Database } from './database'

/** What the account's own page shows of who signs in. */
export type OwnIdentity = {
  readonly email: string
  readonly name: string
  readonly role: string
  readonly passwordHash: string | undefined
  readonly createdAt: Date
  /** Since when it is known that the address is its owner's. */
  readonly emailVerifiedAt: Date | undefined
  /** In which language they are told by e-mail that a long one ended. Undefined: they are not. */
  readonly endsMailLocale: string | undefined
}

export async function findOwnIdentity(
  db: Database,
  accountId: AccountId,
): Promise<OwnIdentity | undefined> {
  const row = await db.prisma.userIdentity.findUnique({
    where: { accountId },
    select: {
      email: true,
      name: true,
      role: true,
      passwordHash: true,
      createdAt: true,
      emailVerifiedAt: true,
      endsMailLocale: true,
    },
  })
  if (!row) return undefined
  return {
    ...row,
    passwordHash: row.passwordHash ?? undefined,
    emailVerifiedAt: row.emailVerifiedAt ?? undefined,
    endsMailLocale: row.endsMailLocale ?? undefined,
  }
}

const Done = z.object({ done: z.boolean() })

/** Ends every session but `kept` in the same transaction. False: there is no such account. */
export async function changePassword(
  db: Database,
  change: {
    readonly accountId: AccountId
    readonly passwordHash: string
    readonly kept: SessionId | undefined
  },
): Promise<boolean> {
  const { rows } = await db.pool.query({
    name: 'change_password',
    text: 'select change_password($1, $2, $3) as done',
    values: [change.accountId, change.passwordHash, change.kept],
  })
  return Done.parse(rows[0]).done
}

export async function renameUser(
  db: Database,
  accountId: AccountId,
  name: string,
): Promise<boolean> {
  const { rows } = await db.pool.query({
    name: 'rename_user',
    text: 'select rename_user($1, $2) as done',
    values: [accountId, name],
  })
  return Done.parse(rows[0]).done
}
