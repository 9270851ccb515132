import { timingSafeEqual } from 'node:crypto'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?|::ffff:127(\.\d{1,3}){3})$/

/**
 * Whether a request may read the metrics: whoever has the token, and without it only this machine. That
 * an address is ours can be claimed by whoever comes through a proxy, so it counts only where the
 * installation itself is at localhost.
 */
export function mayReadMetrics(
  headers: Headers,
  house: { readonly token: string | undefined; readonly appUrl: string },
): boolean {
  const given = /^Bearer (.+)$/.exec(headers.get('authorization') ?? '')?.[1]
  if (house.token !== undefined && given !== undefined && isSame(given, house.token)) return true
  const hops = (headers.get('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim())
  return LOOPBACK.test(new URL(house.appUrl).hostname) && hops.every((hop) => LOOPBACK.test(hop))
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
