'use client'

import { signIn, signOut } from 'next-auth/react'
import { throttledSeconds } from './throttled'

export type SignInResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: 'wrong' | 'failed' }
  | { readonly ok: false; readonly code: 'throttled'; readonly seconds: number }

export async function signInWithPassword(input: {
  readonly email: string
  readonly password: string
}): Promise<SignInResult> {
  return resultOf(await signIn('credentials', { ...input, redirect: false }))
}

/** `wrong`: the link was used already, or it is too old. */
export async function signInByEmailedLink(token: string): Promise<SignInResult> {
  return resultOf(await signIn('link', { token, redirect: false }))
}

/** Leaves the page for the issuer's, and comes back to the path. */
export async function signInThrough(id: string, path: string): Promise<void> {
  await signIn(id, { callbackUrl: path })
}

type Answer = Awaited<ReturnType<typeof signIn>>

function resultOf(answer: Answer): SignInResult {
  if (answer?.ok === true) return { ok: true }
  const seconds = throttledSeconds(answer?.error)
  if (seconds !== undefined) return { ok: false, code: 'throttled', seconds }
  return { ok: false, code: answer?.status === 401 ? 'wrong' : 'failed' }
}

/** Ends the session here and in the database, and forgets what the page knew. */
export async function signOutEverywhere(): Promise<void> {
  await signOut({ callbackUrl: '/' })
}
