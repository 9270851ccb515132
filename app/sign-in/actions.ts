'use server'

import { getLocale } from 'next-intl/server'
import { z } from 'zod'
import { visitorAddress } from '@/lib/auth/visitor'
import { deps } from '@/lib/deps'
import { normaliseEmail } from '@/lib/domain/email'
import { ok, refuse, type Result } from '@/lib/domain/result'
import { mailTries } from '@/lib/domain/throttle'
import { environment } from '@/lib/env'
import { askForMailLink, resetByLink } from '@/lib/use-cases/mail-links'

export type LinkRefusal =
  | { readonly code: 'invalid-email' | 'link-over' | 'invalid-password' }
  | { readonly code: 'throttled'; readonly seconds: number }

const Wish = z.strictObject({
  kind: z.enum(['sign-in-link', 'password-reset']),
  email: z.string().max(254),
})

/** Open to everybody. The answer is the same whether or not there is such an account. */
export async function askForLinkAction(input: unknown): Promise<Result<undefined, LinkRefusal>> {
  const wish = Wish.safeParse(input).data
  if (!wish || environment().SMTP_URL === undefined) return refuse({ code: 'invalid-email' })
  const tries = mailTries(await visitorAddress(), normaliseEmail(wish.email))
  const seconds = await deps().throttle.take(tries)
  if (seconds !== undefined) return refuse({ code: 'throttled', seconds })
  return askForMailLink(deps(), wish.kind, { email: wish.email, locale: await getLocale() })
}

const Reset = z.strictObject({ token: z.string().max(200), password: z.unknown() })

/** Whoever has the link chooses a new password. */
export async function resetPasswordAction(input: unknown): Promise<Result<undefined, LinkRefusal>> {
  const reset = Reset.safeParse(input).data
  if (!reset) return refuse({ code: 'link-over' })
  const address = await visitorAddress()
  const seconds = await deps().throttle.take([{ rule: 'token-address', of: address }])
  if (seconds !== undefined) return refuse({ code: 'throttled', seconds })
  const done = await resetByLink(deps(), reset)
  return done.ok ? ok(undefined) : refuse({ code: done.refusal.code })
}
