'use client'

import { signIn, signOut } from 'next-auth/react'
import { tooManyTries } from '@/lib/web/wait-words'
import { throttledSeconds } from './throttled'

export type SignInResult = { readonly ok: true } | { readonly ok: false; readonly message: string }

export async function signInWithPassword(input: {
  readonly email: string
  readonly password: string
}): Promise<SignInResult> {
  const answer = await signIn('credentials', { ...input, redirect: false })
  if (answer?.ok === true) return { ok: true }
  const waitSeconds = throttledSeconds(answer?.error)
  if (waitSeconds !== undefined) return { ok: false, message: tooManyTries(waitSeconds) }
  return answer?.status === 401
    ? { ok: false, message: 'The e-mail address or the password is not right.' }
    : { ok: false, message: 'We could not sign you in just now. Try again in a moment.' }
}

/** Ends the session here and in the database, and forgets what the page knew. */
export async function signOutEverywhere(): Promise<void> {
  await signOut({ callbackUrl: '/' })
}
