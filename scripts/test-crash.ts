import { spawnSync } from 'node:child_process'
import { inRoot } from './launch/root'

// The long form of what `npm test` does shortly: at least 200 real processes killed in one run, and
// outages of minutes instead of seconds.
const KILLS_DEFAULT = '200'
const OUTAGE_SECONDS_DEFAULT = '120'

const vitest = inRoot('node_modules', 'vitest', 'vitest.mjs')
const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', 'db', 'test/crash'], {
  stdio: 'inherit',
  env: {
    ...process.env,
    CRASH_KILLS: process.env['CRASH_KILLS'] ?? KILLS_DEFAULT,
    CRASH_OUTAGE_SECONDS: process.env['CRASH_OUTAGE_SECONDS'] ?? OUTAGE_SECONDS_DEFAULT,
  },
})
process.exit(status ?? 1)
