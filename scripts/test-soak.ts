import { spawnSync } from 'node:child_process'
import { buildIfChanged } from './launch/build'
import { inRoot } from './launch/root'
import { buildWeb } from './launch/run-alone'
import { installDebians, arePresent } from './testing/debian'

// The long form of what `npm test` does shortly.
const ATTEMPTS_DEFAULT = '5000'
const SECONDS_DEFAULT = '1500'
const PROGRAMS = ['pgbouncer', 'ceph', 'ceph-mon', 'ceph-osd', 'radosgw']
const PACKAGES = ['pgbouncer', 'ceph-common', 'ceph-mon', 'ceph-osd', 'radosgw']

if (!arePresent(PROGRAMS, process.env['PATH'] ?? '')) installDebians(PACKAGES)
await buildIfChanged({ say: console.log, build: buildWeb })
const vitest = inRoot('node_modules', 'vitest', 'vitest.mjs')
const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', 'soak'], {
  stdio: 'inherit',
  env: {
    ...process.env,
    SOAK_ATTEMPTS: process.env['SOAK_ATTEMPTS'] ?? ATTEMPTS_DEFAULT,
    SOAK_SECONDS: process.env['SOAK_SECONDS'] ?? SECONDS_DEFAULT,
  },
})
process.exit(status ?? 1)
