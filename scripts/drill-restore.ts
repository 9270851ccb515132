import { join } from 'node:path'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import pino from 'pino'
import { systemClock } from '@/simulator/clock'
import { createRenderPool } from '@/simulator/render-pool'
import { createSimulator } from '@/simulator/simulator'
import { drillRestore, type DrillResult } from './drill/restore-drill'
import { messageOf } from './launch/launch-error'

// `npm run drill:restore`: loses a database, restores it to an earlier moment, and shows what
// docs/BACKUP.md says about that. Everything is made in temporary folders and removed.

/** What a person has to do about it, from what was found. */
function wordsOf({
  target,
  restored,
  ended,
  lost,
  tasks,
  differences,
  again,
}: DrillResult): string {
  const open = Object.keys(restored).filter((id) => ended[id] !== 'completed')
  const twice = Object.entries(tasks).filter(([, count]) => count > 1)
  return [
    '',
    open.length === 0
      ? `All ${Object.keys(restored).length} attempts of the restored database are delivered.`
      : `NOT SO: these are not delivered: ${open.join(', ')}.`,
    twice.length === 0
      ? 'No attempt has a second task at its provider: the queued one was looked for and found.'
      : `NOT SO: second tasks were made of ${twice.map(([id]) => id).join(', ')}.`,
    differences === 0
      ? 'The ledger adds up.'
      : `NOT SO: the ledger has ${differences} differences.`,
    '',
    `What went on after ${target.toISOString()} is at the provider and not here:`,
    `  ${lost}   ${tasks[lost] ?? 0} task at its provider, no attempt here, nothing charged here`,
    `  ${again}   the same click, sent again by its browser: a new attempt, ${tasks[again] ?? 0} task of its own`,
    '',
    'List what your providers made after that moment and compare it with `npm run -s cli -- attempt list`: the',
    'reference of each task is an attempt id. What is not in the list was paid for by you and by nobody else.',
    'Grant nothing for it and take nothing: the balance is that of the moment. docs/BACKUP.md says the rest.',
  ].join('\n')
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'darkroom-drill-simulator-'))
  const pool = createRenderPool(2)
  const simulator = createSimulator({
    folder,
    clock: systemClock,
    draw: pool.draw,
    log: pino({ level: 'silent' }),
    webhookSecret: undefined,
    projectWebhookUrl: undefined,
    latencyMs: 500,
    slowMs: 2_000,
    drawAtOnce: 2,
  })
  try {
    const url = await simulator.listen({ host: '127.0.0.1', port: 0 })
    const result = await drillRestore(url, console.log)
    console.log(wordsOf(result))
    if (result.differences > 0) process.exitCode = 1
  } finally {
    await simulator.close()
    await pool.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

await main().catch((error: unknown) => {
  console.error(messageOf(error))
  process.exitCode = 1
})
