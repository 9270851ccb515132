/**
 * Who is at the other end as far as can be told: the nearest hop writes last, and what stands before it
 * may be anybody's invention.
 */
export function addressFrom(forwardedFor: string | null | undefined): string {
  const last = forwardedFor?.split(',').at(-1)?.trim() ?? ''
  return last === '' ? 'unknown' : last
}
