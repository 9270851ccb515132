/** `Retry-After` in milliseconds from seconds or an HTTP date (RFC 9110, 10.2.3); else undefined. */
export function retryAfterMs(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000
  // `Date.parse` alone takes almost anything for a date: '-5' and '1.5' too.
  const at = /^[A-Z][a-z]{2,8}, .+ GMT$/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime())
}
