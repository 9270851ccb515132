import { z } from 'zod'
import { insertSession } from '@/lib/db/account-store'
import { deps } from '@/lib/deps'
import { deviceWords } from '@/lib/domain/device'
import { SessionId, type AccountId } from '@/lib/domain/ids'
import { addressFrom } from './address'

export const SESSION_SECONDS = 30 * 24 * 60 * 60

/** What is known of who asks, before they are let in. */
export type SignInRequest = { readonly address: string; readonly device: string | undefined }

/** What next-auth hands on to its callbacks. */
export type Opened = { readonly id: AccountId; readonly sid: SessionId }

const Headers = z.object({
  headers: z.record(z.string(), z.unknown()).optional(),
})

/** From what next-auth gives of the request to `authorize`. */
export function signInRequest(request: unknown): SignInRequest {
  const headers = Headers.safeParse(request).data?.headers ?? {}
  const text = (name: string) => z.string().safeParse(headers[name]).data
  return {
    address: addressFrom(text('x-forwarded-for')),
    device: deviceWords(text('user-agent')),
  }
}

export async function openSession(accountId: AccountId, request: SignInRequest): Promise<Opened> {
  const { db, newId } = deps()
  const sid = SessionId.parse(newId())
  const expiresAt = new Date(Date.now() + SESSION_SECONDS * 1_000)
  await insertSession(db, { id: sid, accountId, expiresAt, device: request.device })
  return { id: accountId, sid }
}
