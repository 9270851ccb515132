import { z } from 'zod'
import { findSignIn } from '@/lib/db/account-store'
import { deps } from '@/lib/deps'
import { normaliseEmail } from '@/lib/domain/email'
import { PASSWORD_LENGTH_MAX } from '@/lib/domain/password'
import { signInTries } from '@/lib/domain/throttle'
import { openSession, type Opened, type SignInRequest } from './open-session'
import { throttledError } from './throttled'

const SignInInput = z.object({
  email: z.string().max(254),
  password: z.string().max(PASSWORD_LENGTH_MAX),
})

/**
 * Opens a session, or answers null. Every try counts until it proves rightful, so that many at once are
 * as many; and it takes the same time and gives the same answers for an address that has no account.
 */
export async function signInByPassword(
  input: unknown,
  request: SignInRequest,
): Promise<Opened | null> {
  const parsed = SignInInput.safeParse(input)
  if (!parsed.success) return null
  const email = normaliseEmail(parsed.data.email)
  const { db, throttle, verifyPassword } = deps()
  const tries = signInTries(request.address, email)
  const seconds = await throttle.take(tries)
  if (seconds !== undefined) throw throttledError(seconds)
  const found = await findSignIn(db, email)
  const matches = await verifyPassword(found?.passwordHash, parsed.data.password)
  if (!matches || !found || found.suspended) return null
  await throttle.giveBack(tries)
  return openSession(found.accountId, request)
}
