import { z } from 'zod'
import { signInByLink } from '@/lib/db/mail-store'
import { deps } from '@/lib/deps'
import { linkTokenHash } from '@/lib/domain/link-token'
import { openSession, type Opened, type SignInRequest } from './open-session'
import { throttledError } from './throttled'

const Input = z.object({ token: z.string().max(200) })

/** Opens a session for whoever has the link, and uses it up. */
export async function signInWithLink(
  input: unknown,
  request: SignInRequest,
): Promise<Opened | null> {
  const parsed = Input.safeParse(input)
  if (!parsed.success) return null
  const { db, throttle, log } = deps()
  const seconds = await throttle.take([{ rule: 'token-address', of: request.address }])
  if (seconds !== undefined) throw throttledError(seconds)
  const hash = linkTokenHash(parsed.data.token)
  const accountId = hash && (await signInByLink(db, hash))
  if (!accountId) return null
  log.info({ accountId }, 'e-mailed link used')
  return openSession(accountId, request)
}
