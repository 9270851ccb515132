import { spawnSync } from 'node:child_process'
import { inRoot } from './launch/root'

// The long form of one test of `npm test`: at least 200 real processes killed in one run.
const KILLS_DEFAULT = '200'

const vitest = inRoot('node_modules', 'vitest', 'vitest.mjs')
const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', 'db', 'test/crash'], {
  stdio: 'inherit',
  env: { ...process.env, CRASH_KILLS: process.env['CRASH_KILLS'] ?? KILLS_DEFAULT },
})
process.exit(status ?? 1)
