import { NextRequest } from 'next/server'
import { z } from 'zod'
import { readBoundedBody } from '@/lib/api/read-json'
import { parseJson } from '@/lib/web/browser-storage'

// An e-mail address, a password and a token, many times over.
const BODY_BYTES_MAX = 16 * 1024
const READING = ['GET', 'HEAD']
const CALLBACK_COOKIE = /(?:^|; )(?:__Secure-)?next-auth\.callback-url=([^;]*)/

/**
 * The request as next-auth can read it, or undefined: what it cannot read, an address to go to that
 * is none or a body that is not what it says, it takes for a fault of the server.
 */
export async function readableRequest(request: Request): Promise<Request | undefined> {
  const { method, headers, url } = request
  const cookie = CALLBACK_COOKIE.exec(headers.get('cookie') ?? '')?.[1]
  const addresses = new URL(url).searchParams.getAll('callbackUrl')
  if (addresses.length > 1 || !addresses.every(isAddress)) return undefined
  if (cookie !== undefined && !isAddress(decoded(cookie))) return undefined
  if (READING.includes(method)) return request
  const body = await readBoundedBody(request, BODY_BYTES_MAX)
  if (!body) return undefined
  const given = callbackUrlIn(body.toString('utf8'), headers.get('content-type') ?? '')
  if (!given.isReadable || !isAddress(given.callbackUrl)) return undefined
  return new NextRequest(url, { method, headers, body: new Uint8Array(body) })
}

/** Where it leads is for next-auth to refuse; here it only has to lead somewhere. */
function isAddress(text: string): boolean {
  if (text === '') return true
  const base = text.startsWith('/') ? 'http://site.invalid' : undefined
  return URL.canParse(text, base) && /^https?:$/.test(new URL(text, base).protocol)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return 'no address'
  }
}

const JsonBody = z.object({ callbackUrl: z.string().default('') })

/** Of the two forms that next-auth reads; what is in another it does not see. */
function callbackUrlIn(body: string, contentType: string) {
  if (!contentType.includes('application/json')) {
    const isForm = contentType.includes('application/x-www-form-urlencoded')
    // The last of several counts.
    const callbackUrl = isForm ? new URLSearchParams(body).getAll('callbackUrl').at(-1) : undefined
    return { isReadable: true, callbackUrl: callbackUrl ?? '' }
  }
  const parsed = JsonBody.safeParse(parseJson(body))
  return { isReadable: parsed.success, callbackUrl: parsed.data?.callbackUrl ?? '' }
}
