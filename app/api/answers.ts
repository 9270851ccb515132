import { PRIVATE, problemDocument } from '@/lib/api/problem'

/** For one person's eyes: no cache on the way keeps it. */
export { json as privateJson } from '@/lib/api/resource'

/** The caller has it already. */
export const notModified = (etag: string): Response =>
  new Response(null, { status: 304, headers: { ...PRIVATE, etag } })

/** A problem document (RFC 9457) with a code that programs may rely on. */
export function problem(status: number, code: string, detail: string): Response {
  return problemDocument({ status, code, detail })
}

export const signedOut = () => problem(401, 'signed_out', 'Sign in to see this.')
/** The same for what is not there and what is somebody else’s. */
export const notFound = (): Response => problem(404, 'not_found', 'There is nothing here.')
