// Any origin will do: it only has to be one that a path of this site cannot leave by itself.
const SITE = 'http://site.invalid'

/**
 * A path of this site, or the fallback. The address is read as a browser reads it, so "//host",
 * "/\\host" and "/<tab>/host" are seen to lead elsewhere; what is returned is the path as parsed.
 */
export function safePath(value: unknown, fallback: string): string {
  if (typeof value !== 'string' || !value.startsWith('/') || value.length > 2_000) return fallback
  if (!URL.canParse(value, SITE)) return fallback
  const url = new URL(value, SITE)
  if (url.origin !== SITE) return fallback
  const path = `${url.pathname}${url.search}${url.hash}`
  // "/..//host" is a path of this site that, once shortened, reads as another site.
  return path.startsWith('//') ? fallback : path
}
