import ipaddr from 'ipaddr.js'

/**
 * Whom an address leads to: anybody's public host, a host of a private network or of this machine,
 * or nothing that ever serves a result: link-local (where clouds keep their machines' secrets),
 * multicast, reserved and documentation ranges, and what is no address.
 */
export type Reach = 'public' | 'private' | 'never'

const PRIVATE_RANGES: readonly string[] = ['private', 'loopback', 'uniqueLocal', 'carrierGradeNat']
// What clouds tell their machines, at addresses that are otherwise like any private one.
const METADATA_HOSTS = ['100.100.100.200', 'fd00:ec2::254'].map((address) =>
  ipaddr.parse(address).toNormalizedString(),
)
// All that is routed on the internet. The library's `unicast` is what it has no other name for.
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

export function reachOf(address: string): Reach {
  if (!ipaddr.isValid(address)) return 'never'
  const ip = unwrapped(ipaddr.parse(address))
  if (METADATA_HOSTS.includes(ip.toNormalizedString())) return 'never'
  const range = ip.range()
  if (PRIVATE_RANGES.includes(range)) return 'private'
  if (range !== 'unicast') return 'never'
  return ip instanceof ipaddr.IPv6 && !ip.match(GLOBAL_UNICAST) ? 'never' : 'public'
}

/** The IPv4 address that an IPv6 one stands for, where it does: mapped, NAT64 or 6to4. */
function unwrapped(ip: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(ip instanceof ipaddr.IPv6)) return ip
  const bytes = ip.toByteArray()
  if (ip.isIPv4MappedAddress()) return ip.toIPv4Address()
  if (ip.match(ipaddr.IPv6.parseCIDR('64:ff9b::/96'))) return new ipaddr.IPv4(bytes.slice(12))
  return ip.range() === '6to4' ? new ipaddr.IPv4(bytes.slice(2, 6)) : ip
}
