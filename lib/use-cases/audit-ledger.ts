import { auditRows, type Counts, type Violation } from '@/lib/db/audit-reader'
import type { Deps } from './deps'

// Whoever broke more than this knows what was broken from the first thousand of each family.
const NAMED_MAX = 1_000

export type LedgerAudit = {
  readonly ok: boolean
  readonly checked: Counts
  readonly violations: readonly Violation[]
  /** There are more violations than are named. */
  readonly truncated: boolean
  readonly duration_ms: number
}

/** Computes every balance anew and holds every rule against the rows, without believing a trigger. */
export async function auditLedger(deps: Pick<Deps, 'db' | 'log'>): Promise<LedgerAudit> {
  const startedMs = performance.now()
  const { counts, violations, truncated } = await auditRows(deps.db, NAMED_MAX)
  if (violations.length > 0) {
    deps.log.error({ violations: violations.length, truncated }, 'ledger audit failed')
  }
  return {
    ok: violations.length === 0,
    checked: counts,
    violations,
    truncated,
    duration_ms: Math.round(performance.now() - startedMs),
  }
}
