import { readFigures } from '@/lib/db/watch-store'
import { metricsText } from '@/lib/watch/metrics'
import type { Deps } from './deps'

type Metrics = Awaited<ReturnType<typeof metricsText>>

// However many read them, the database is asked once in this time.
const FRESH_MS = 3_000

let kept:
  { readonly at: number; readonly db: Deps['db']; readonly text: Promise<Metrics> } | undefined

/** The figures as Prometheus reads them, at most a moment old. A failure is kept for nobody. */
export function readMetrics({ db }: Pick<Deps, 'db'>): Promise<Metrics> {
  const now = performance.now()
  if (kept?.db === db && now - kept.at < FRESH_MS) return kept.text
  const text = readFigures(db).then(metricsText)
  const reading = { at: now, db, text }
  kept = reading
  text.catch(() => {
    if (kept === reading) kept = undefined
  })
  return text
}
