import { randomUUID } from 'node:crypto'
import { registerIdentity } from '@/lib/db/account-store'
import { AccountId } from '@/lib/domain/ids'
import type { BenchDatabase } from './database'

const AT_ONCE = 16

/** Accounts of people who have more credits than any run takes. */
export async function openAccounts(
  { app }: BenchDatabase,
  count: number,
): Promise<readonly AccountId[]> {
  const ids = Array.from({ length: count }, () => AccountId.parse(randomUUID()))
  const open = (accountId: AccountId) =>
    registerIdentity(app, {
      accountId,
      email: `${accountId}@example.com`,
      name: 'Ada',
      role: 'user',
      passwordHash: '$argon2id$of-a-bench',
      signupCredits: 1_000_000,
    })
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    await Promise.all(ids.slice(from, from + AT_ONCE).map(open))
  }
  return ids
}
