import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { adminQueue } from './bench/admin-queue'
import { ledgerAudit } from './bench/ledger-audit'
import { openBenchDatabase } from './bench/database'
import { growth } from './bench/growth'
import { pipeline } from './bench/pipeline'
import { polls } from './bench/polls'
import { submissions } from './bench/submissions'
import type { Figure, Section } from './bench/section'

// `npm run bench`, or `npm run bench -- queue` for the sections whose title has that in it. Figures are
// of this machine; what compares is the ratio between two of one run. BENCH_JSON names a file for them.

const SECTIONS: readonly Section[] = [submissions, polls, pipeline, growth, adminQueue, ledgerAudit]

const wanted = process.argv.slice(3)
const results: { readonly section: string; readonly figures: readonly Figure[] }[] = []
for (const section of SECTIONS) {
  if (wanted.length > 0 && !wanted.some((word) => section.title.includes(word))) continue
  const database = await openBenchDatabase()
  try {
    console.log(`\n${section.title}`)
    const figures = await section.run(database, (line) => console.log(line))
    results.push({ section: section.title, figures })
  } finally {
    await database.end()
  }
}

const file = process.env['BENCH_JSON']
if (file !== undefined && file !== '') {
  const machine = { cpus: cpus().length, model: cpus()[0]?.model, node: process.version }
  writeFileSync(file, `${JSON.stringify({ machine, results }, null, 2)}\n`)
}
