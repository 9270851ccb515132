import { isDatabaseUnavailable } from '@/lib/db/unavailable'
import { EnvironmentError } from '@/lib/env'
import { auditLedger, type LedgerAudit } from '@/lib/use-cases/audit-ledger'
import { CliError } from './cli/cli-error'
import { openDeps } from './cli/open-deps'
import { messageOf } from './launch/launch-error'

// `npm run audit:ledger`: a line for each violation and one that counts. The exit code is 0 only when
// everything adds up.

try {
  process.exitCode = await run()
} catch (error) {
  const isExpected = error instanceof CliError || error instanceof EnvironmentError
  console.error(isExpected || isDatabaseUnavailable(error) ? messageOf(error) : error)
  process.exitCode = 1
}

async function run(): Promise<number> {
  const deps = openDeps()
  try {
    const audit = await auditLedger(deps)
    for (const { invariant, account_id, attempt_id, expected, found } of audit.violations) {
      const whose = [
        ...(account_id === null ? [] : [`account ${account_id}`]),
        ...(attempt_id === null ? [] : [`attempt ${attempt_id}`]),
      ].join(', ')
      console.log(`${invariant}: ${whose}: expected ${expected}; found ${found}`)
    }
    console.log(summary(audit))
    return audit.ok ? 0 : 1
  } finally {
    await deps.db.close()
  }
}

function summary({ checked, violations, truncated, duration_ms }: LedgerAudit): string {
  const { accounts, entries, attempts, events } = checked
  const count =
    violations.length === 0 ? 'no' : `${truncated ? 'more than ' : ''}${violations.length}`
  return (
    `${count} violations in ${accounts} accounts, ${entries} ledger entries, ${attempts} attempts and ` +
    `${events} lines of history (${(duration_ms / 1_000).toFixed(1)} s).`
  )
}
