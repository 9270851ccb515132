import NextAuth from 'next-auth'
import { headers } from 'next/headers'
import { z } from 'zod'
import { deviceWords } from '@/lib/domain/device'
import type { Here } from './external-sign-in'
import { authOptions } from './options'
import { findUser } from './session'
import { findGuest, forgetGuest, visitorAddress } from './visitor'

const Handler = z.custom<(request: Request, context: unknown) => Promise<Response>>(
  (value) => typeof value === 'function',
)

/** next-auth's own routes: sign-in, sign-out, session. Its types do not say what it returns here. */
export function handleAuth(request: Request, context: unknown): Promise<Response> {
  return Handler.parse(NextAuth(authOptions(whoIsHere)))(request, context)
}

async function whoIsHere(): Promise<Here> {
  const device = deviceWords((await headers()).get('user-agent') ?? undefined)
  return {
    signedIn: await findUser(),
    guest: await findGuest(),
    request: { address: await visitorAddress(), device },
    onRegistered: forgetGuest,
  }
}
