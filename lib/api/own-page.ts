/**
 * Whether a browser sent this from a page of ours. Cookies come along with what any page sends, so
 * whatever changes something by a cookie asks this first. A browser tells the origin with every
 * request but a reading one; what has none is not believed.
 */
export function isFromOwnPage(headers: Headers, appUrl: string): boolean {
  const origin = headers.get('origin')
  if (origin === null || !URL.canParse(origin)) return false
  const own = new URL(appUrl)
  if (origin === own.origin) return true
  // At home the same server has several names, and the page came from the one that is asked now. No
  // other page can choose what Host says.
  return own.protocol === 'http:' && origin === `http://${headers.get('host') ?? ''}`
}
