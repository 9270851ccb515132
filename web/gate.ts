import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  COMMON_HEADERS,
  DATA_POLICY,
  STRICT_TRANSPORT,
  type Header,
} from '@/lib/api/security-headers'

/**
 * What comes before every answer, whoever makes it: the headers that all of them carry, and the
 * refusal of addresses that are none, which Next.js takes for a fault of its own. False: answered.
 */
export function createGate(
  appUrl: string,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const isEncrypted = appUrl.startsWith('https:')
  const headers: readonly Header[] = [...COMMON_HEADERS, ...(isEncrypted ? [STRICT_TRANSPORT] : [])]
  return (request, response) => {
    for (const { key, value } of headers) response.setHeader(key, value)
    if (isAddress(request.url ?? '')) return true
    response.statusCode = 400
    response.setHeader('content-security-policy', DATA_POLICY)
    response.setHeader('cache-control', 'no-store')
    response.setHeader('content-type', 'text/plain; charset=utf-8')
    response.end('This is no address.\n')
    return false
  }
}

/** A path of this site, in UTF-8, that every reader reads alike. */
function isAddress(url: string): boolean {
  if (!url.startsWith('/') || url.startsWith('//') || url.includes('\\')) return false
  try {
    return !decodeURIComponent(url.split('?', 1)[0] ?? '').includes('\0')
  } catch {
    return false
  }
}
