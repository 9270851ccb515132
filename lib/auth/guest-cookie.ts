import { createHmac, timingSafeEqual } from 'node:crypto'
import { AccountId } from '@/lib/domain/ids'

export const GUEST_COOKIE = 'darkroom.guest'
/** As long as browsers keep a cookie at most. */
export const GUEST_COOKIE_SECONDS = 400 * 24 * 60 * 60

function signatureOf(secret: string, id: string): Buffer {
  return createHmac('sha256', secret).update(`guest:${id}`).digest()
}

/** The cookie's value: the guest's account, signed so that nobody can name another's. */
export function signGuest(secret: string, id: AccountId): string {
  return `${id}.${signatureOf(secret, id).toString('base64url')}`
}

/** The account that the cookie names, or undefined when we did not sign it. */
export function verifyGuest(secret: string, value: string | undefined): AccountId | undefined {
  const [id = '', signature = ''] = value?.split('.') ?? []
  const given = Buffer.from(signature, 'base64url')
  const expected = signatureOf(secret, id)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  return AccountId.safeParse(id).data
}

/**
 * The address as a digest that cannot be turned back and differs from day to day, so that nothing
 * stored follows anybody around.
 */
export function addressDigest(secret: string, address: string, day: string): Buffer {
  return createHmac('sha256', secret).update(`guest-address:${day}:${address}`).digest()
}
