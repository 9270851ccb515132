import { auditLedger } from '@/lib/use-cases/audit-ledger'
import { createLogger } from '@/lib/logger'
import { ATTEMPTS_PER_ACCOUNT, deliveredAccounts, fillTables } from './rows'
import { median, type Section } from './section'

const ENTRIES_PER_ACCOUNT = 2 * ATTEMPTS_PER_ACCOUNT + 1
const SIZES = [100_000, 1_000_000] as const
const ROUNDS = 3
const AIM_SECONDS = 10

/** The audit of all there is, with a tenth of a million and with a million lines of the ledger. */
export const ledgerAudit: Section = {
  title: 'ledger audit',
  async run({ app, owner }, print) {
    print(`${'entries'.padStart(12)}${'lines of history'.padStart(20)}${'seconds'.padStart(10)}`)
    const seconds: number[] = []
    let filled = 0
    for (const size of SIZES) {
      const accounts = Math.ceil(size / ENTRIES_PER_ACCOUNT)
      await fillTables(owner, deliveredAccounts(filled + 1, accounts))
      filled = accounts
      const taken: number[] = []
      let checked = { entries: 0, events: 0 }
      for (let round = 0; round < ROUNDS; round += 1) {
        const audit = await auditLedger({ db: app, log: createLogger('bench', 'error') })
        if (!audit.ok) throw new Error(`the rows are wrong: ${JSON.stringify(audit.violations[0])}`)
        checked = audit.checked
        taken.push(audit.duration_ms / 1_000)
      }
      seconds.push(median(taken))
      const [entries, events] = [checked.entries, checked.events].map((n) => n.toLocaleString('en'))
      print(
        `${entries?.padStart(12)}${events?.padStart(20)}${median(taken).toFixed(2).padStart(10)}` +
          (median(taken) <= AIM_SECONDS ? '' : `   over ${AIM_SECONDS} s`),
      )
    }
    const [small = NaN, large = NaN] = seconds
    print(`ten times the rows take ${(large / small).toFixed(1)} times as long`)
    return [
      {
        name: `audit of ${SIZES[1]} entries`,
        value: large,
        unit: 's',
        ratio: large / small,
        to: `${SIZES[0]} entries`,
      },
    ]
  },
}
