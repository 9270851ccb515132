import { createHmac } from 'node:crypto'
import {
  findMailLink,
  requestMailLink,
  resetPassword,
  setEndsMail,
  type LinkKind,
} from '@/lib/db/mail-store'
import { Email } from '@/lib/domain/email'
import type { AccountId } from '@/lib/domain/ids'
import { invariant } from '@/lib/domain/invariant'
import { linkTokenHash } from '@/lib/domain/link-token'
import { NewPassword } from '@/lib/domain/password'
import { ok, refuse, type Result } from '@/lib/domain/result'
import type { Deps } from './deps'
import type { Passwords } from './own-identity'

/** Long enough to find the mail, short enough that an old one opens nothing. */
export const LINK_MINUTES = { 'sign-in-link': 15, 'password-reset': 30 } as const

/** Derived from its id, so that the worker can write it into the mail while the database holds a hash. */
export const mailTokenOf = (secret: string, tokenId: string): string =>
  createHmac('sha256', secret).update(`mail-link:${tokenId}`).digest('base64url')

/**
 * Has a link sent to the address if it has an account. Whoever asks is told the same either way, and
 * after the same work.
 */
export async function askForMailLink(
  deps: Pick<Deps, 'db' | 'newId' | 'callbackSecret'>,
  kind: LinkKind,
  input: { readonly email: unknown; readonly locale: string },
): Promise<Result<undefined, { readonly code: 'invalid-email' }>> {
  const email = Email.safeParse(input.email)
  if (!email.success) return refuse({ code: 'invalid-email' })
  const tokenId = deps.newId()
  const tokenHash = linkTokenHash(mailTokenOf(deps.callbackSecret, tokenId))
  invariant(tokenHash !== undefined, 'a token of ours is one')
  await requestMailLink(deps.db, {
    email: email.data,
    kind,
    tokenId,
    tokenHash,
    mailId: deps.newId(),
    minutes: LINK_MINUTES[kind],
    locale: input.locale,
  })
  return ok(undefined)
}

/** Looks at a link without using it up: mail scanners follow links too. */
export async function lookAtMailLink(
  deps: Pick<Deps, 'db'>,
  token: string,
  kind: LinkKind,
): Promise<{ readonly dropsPassword: boolean } | undefined> {
  const hash = linkTokenHash(token)
  return hash && (await findMailLink(deps.db, hash, kind))
}

export type ResetRefusal =
  { readonly code: 'invalid-password'; readonly message: string } | { readonly code: 'link-over' }

/** Sets the password of whoever has the link, ends all their sessions, and uses the link up. */
export async function resetByLink(
  deps: Pick<Deps, 'db' | 'log'> & Passwords,
  input: { readonly token: unknown; readonly password: unknown },
): Promise<Result<undefined, ResetRefusal>> {
  const password = NewPassword.safeParse(input.password)
  if (!password.success) {
    const message = password.error.issues[0]?.message ?? 'Choose another password.'
    return refuse({ code: 'invalid-password', message })
  }
  const tokenHash = typeof input.token === 'string' ? linkTokenHash(input.token) : undefined
  const accountId =
    tokenHash && (await resetPassword(deps.db, tokenHash, await deps.hashPassword(password.data)))
  if (!accountId) return refuse({ code: 'link-over' })
  deps.log.info({ accountId }, 'password reset')
  return ok(undefined)
}

/** Whether, and in which language, somebody is told by e-mail that an attempt of theirs ended at last. */
export async function tellByMail(
  deps: Pick<Deps, 'db'>,
  accountId: AccountId,
  locale: string | undefined,
): Promise<void> {
  await setEndsMail(deps.db, accountId, locale ?? null)
}
