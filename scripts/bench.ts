import { adminQueue } from './bench/admin-queue'
import { ledgerAudit } from './bench/ledger-audit'
import { openBenchDatabase } from './bench/database'
import { growth } from './bench/growth'
import { submissions } from './bench/submissions'
import type { Section } from './bench/section'

// `npm run bench`, or `npm run bench -- queue` for the sections whose title has that in it. Figures are
// of this machine; what compares is the ratio between two of one run.

const SECTIONS: readonly Section[] = [submissions, growth, adminQueue, ledgerAudit]

const wanted = process.argv.slice(3)
for (const section of SECTIONS) {
  if (wanted.length > 0 && !wanted.some((word) => section.title.includes(word))) continue
  const database = await openBenchDatabase()
  try {
    console.log(`\n${section.title}`)
    await section.run(database, (line) => console.log(line))
  } finally {
    await database.end()
  }
}
