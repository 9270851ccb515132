'use server'

import { getLocale } from 'next-intl/server'
import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { externalWays } from '@/lib/auth/external-providers'
import { findUser, type CurrentUser } from '@/lib/auth/session'
import { deps } from '@/lib/deps'
import { ok, refuse, type Result } from '@/lib/domain/result'
import { environment } from '@/lib/env'
import { createApiKey, revokeApiKey } from '@/lib/use-cases/api-keys'
import { eraseAccount } from '@/lib/use-cases/erase-account'
import { tellByMail } from '@/lib/use-cases/mail-links'
import { changeOwnPassword, renameOwn } from '@/lib/use-cases/own-identity'
import { endAllOtherSessions, endOneSession } from '@/lib/use-cases/sessions'
import { disconnect } from '@/lib/use-cases/sign-in-ways'
import type { AccountRefusal } from '@/lib/web/account-views'

type Answer<Value = undefined> = Promise<Result<Value, AccountRefusal>>

const SIGNED_OUT = refuse({ code: 'signed-out' } as const)
const PAGE = '/account'

export async function renameAction(name: unknown): Answer {
  const user = await findUser()
  if (!user) return SIGNED_OUT
  const renamed = await renameOwn(deps(), user.accountId, name)
  if (!renamed.ok) return refuse({ code: 'invalid-name' })
  revalidatePath(PAGE)
  return ok(undefined)
}

const PasswordChange = z.strictObject({ current: z.unknown(), password: z.unknown() })

export async function changePasswordAction(input: unknown): Answer {
  const user = await findUser()
  if (!user) return SIGNED_OUT
  return proved(user, async () => {
    const given = PasswordChange.safeParse(input).data ?? { current: '', password: '' }
    const changed = await changeOwnPassword(deps(), user, given)
    if (changed.ok) revalidatePath(PAGE)
    if (changed.ok) return changed
    const isWrong = changed.refusal.code === 'wrong-password'
    return refuse({ code: isWrong ? 'wrong-password' : 'password-length' } as const)
  })
}

export async function endSessionAction(id: unknown): Answer {
  const user = await findUser()
  if (!user) return SIGNED_OUT
  await endOneSession(deps(), user.accountId, id)
  revalidatePath(PAGE)
  return ok(undefined)
}

export async function endOtherSessionsAction(): Answer<number> {
  const user = await findUser()
  if (!user) return SIGNED_OUT
  const ended = await endAllOtherSessions(deps(), user.accountId, user.sessionId)
  revalidatePath(PAGE)
  return ok(ended)
}

export async function createKeyAction(name: unknown): Answer<string> {
  const user = await findUser()
  if (!user) return SIGNED_OUT
  const created = await createApiKey(deps(), user.accountId, name)
  if (!created.ok) return refuse({ code: created.refusal.code })
  revalidatePath(PAGE)
  return ok(created.value.key)
}

export async function revokeKeyAction(id: unknown): Answer {
  const user = await findUser()
  if (!user) return SIGNED_OUT
  await revokeApiKey(deps(), user.accountId, typeof id === 'string' ? id : '')
  revalidatePath(PAGE)
  return ok(undefined)
}

export async function tellByMailAction(isOn: unknown): Answer {
  const user = await findUser()
  if (!user) return SIGNED_OUT
  await tellByMail(deps(), user.accountId, isOn === true ? await getLocale() : undefined)
  revalidatePath(PAGE)
  return ok(undefined)
}

export async function disconnectAction(id: unknown): Answer {
  const user = await findUser()
  if (!user) return SIGNED_OUT
  const way = externalWays(environment()).find((one) => one.id === id)
  const isLast = way && (await disconnect(deps(), user.accountId, way.issuer)) === 'last_way_in'
  if (isLast === true) return refuse({ code: 'last-way-in' })
  revalidatePath(PAGE)
  return ok(undefined)
}

const Deletion = z.strictObject({ confirmation: z.unknown(), password: z.unknown() })

export async function deleteAccountAction(input: unknown): Answer {
  const user = await findUser()
  if (!user) return SIGNED_OUT
  return proved(user, async () => {
    const given = Deletion.safeParse(input).data ?? { confirmation: '', password: '' }
    const erased = await eraseAccount(deps(), user.accountId, given)
    return erased.ok ? erased : refuse({ code: erased.refusal.code })
  })
}

/** A password is asked for: a browser that was left open must not be a place to guess it. */
async function proved(user: CurrentUser, act: () => Answer): Answer {
  const { throttle } = deps()
  const tries = [{ rule: 'password-account', of: user.accountId }] as const
  const seconds = await throttle.take(tries)
  if (seconds !== undefined) return refuse({ code: 'throttled', seconds })
  const answer = await act()
  if (answer.ok || answer.refusal.code !== 'wrong-password') await throttle.giveBack(tries)
  return answer
}
