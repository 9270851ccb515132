import { timingSafeEqual } from 'node:crypto'
import { problem } from '@/app/api/answers'
import { deps } from '@/lib/deps'
import { environment } from '@/lib/env'
import { readMetrics } from '@/lib/use-cases/read-metrics'

export const dynamic = 'force-dynamic'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?|::ffff:127(\.\d{1,3}){3})$/

/** The figures of this installation as Prometheus reads them. */
export async function GET(request: Request): Promise<Response> {
  if (!mayRead(request)) {
    return problem(401, 'token_needed', 'Send METRICS_TOKEN as a bearer token.')
  }
  const { text, contentType } = await readMetrics(deps())
  return new Response(text, {
    headers: { 'content-type': contentType, 'cache-control': 'no-store' },
  })
}

/**
 * Whoever has the token. Without one only this machine: that an address is ours can be claimed by
 * whoever comes through a proxy, so it counts only where the installation itself is at localhost.
 */
function mayRead(request: Request): boolean {
  const { METRICS_TOKEN, APP_URL } = environment()
  const given = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1]
  if (METRICS_TOKEN !== undefined && given !== undefined && isSame(given, METRICS_TOKEN))
    return true
  const hops = (request.headers.get('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim())
  return LOOPBACK.test(new URL(APP_URL).hostname) && hops.every((hop) => LOOPBACK.test(hop))
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
