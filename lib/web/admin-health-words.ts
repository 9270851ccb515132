import type { OverviewView } from './admin-views'

/** "850 ms", "12.3 s", "4 min". */
export function paceInWords(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  return ms < 120_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`
}

/** What one hour brought, for those who do not see the bars. */
export function hourWords({
  hours_ago: ago,
  taken,
  refused,
  unknown,
}: OverviewView['health'][number]['hours'][number]): string {
  const when = ago === 0 ? 'In the last hour' : `${ago} ${ago === 1 ? 'hour' : 'hours'} ago`
  return `${when}: ${taken} taken, ${refused} refused, ${unknown} unknown`
}
