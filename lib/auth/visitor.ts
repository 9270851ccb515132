import 'server-only'
import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import type { GuestAddress } from '@/lib/db/attempt-store'
import { findAccountKind } from '@/lib/db/account-store'
import { deps } from '@/lib/deps'
import type { AccountId } from '@/lib/domain/ids'
import { environment } from '@/lib/env'
import { addressFrom } from './address'
import { addressDigest, GUEST_COOKIE, verifyGuest } from './guest-cookie'
import { findUser, type CurrentUser } from './session'

/** Whoever owns attempts: somebody signed in, or a guest known by a cookie. */
export type Visitor =
  | { readonly kind: 'user'; readonly accountId: AccountId; readonly user: CurrentUser }
  | { readonly kind: 'guest'; readonly accountId: AccountId }

/** The guest that the browser's cookie names, unless that account has signed up or is suspended. */
export const findGuest = cache(async (): Promise<AccountId | undefined> => {
  const env = environment()
  if (env.GUESTS === 'off') return undefined
  const accountId = verifyGuest(env.AUTH_SECRET, (await cookies()).get(GUEST_COOKIE)?.value)
  if (accountId === undefined) return undefined
  const account = await findAccountKind(deps().db, accountId)
  const standing = account === undefined || (account.kind === 'guest' && !account.suspended)
  return standing ? accountId : undefined
})

/** For actions and routes. */
export async function findVisitor(): Promise<Visitor | undefined> {
  const user = await findUser()
  if (user) return { kind: 'user', accountId: user.accountId, user }
  const accountId = await findGuest()
  return accountId && { kind: 'guest', accountId }
}

/** For pages that guests may use too. */
export async function requireVisitor(from: string): Promise<Visitor> {
  const visitor = await findVisitor()
  return visitor ?? redirect(`/sign-in?from=${encodeURIComponent(from)}`)
}

/** From where somebody asks. Never stored as it is. */
export async function visitorAddress(): Promise<string> {
  return addressFrom((await headers()).get('x-forwarded-for'))
}

/** What a guest's attempt is counted under. Undefined for somebody signed in. */
export async function guestAddress(visitor: Visitor): Promise<GuestAddress | undefined> {
  if (visitor.kind === 'user') return undefined
  const env = environment()
  const address = await visitorAddress()
  const day = new Date().toISOString().slice(0, 10)
  return {
    addressDigest: addressDigest(env.AUTH_SECRET, address, day),
    dailyCap: env.GUEST_ADDRESS_DAILY_CAP,
  }
}

/** Ends the guest in this browser: its account belongs to somebody who signed up now. */
export async function forgetGuest(): Promise<void> {
  const jar = await cookies()
  jar.delete(GUEST_COOKIE)
}
