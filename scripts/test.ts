import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { buildIfChanged } from './launch/build'
import { LaunchError, messageOf } from './launch/launch-error'
import { inRoot } from './launch/root'
import { findChromium } from './testing/chromium'
import { arePresent, installDebians } from './testing/debian'
import { readPlaywright, readVitest } from './testing/reports'
import { runStep, stopStep, type Outcome, type Step } from './testing/step'

const inModules = (...parts: readonly string[]) => inRoot('node_modules', ...parts)
const next = inModules('next', 'dist', 'bin', 'next')
const reports = mkdtempSync(join(tmpdir(), 'darkroom-reports-'))

// Next.js writes types of the routes, which the other steps read.
const checks: readonly Step[] = [
  { name: 'route types', args: [next, 'typegen'] },
  { name: 'types', args: [inModules('typescript', 'bin', 'tsc'), '--noEmit'] },
  { name: 'lint', args: [inModules('eslint', 'bin', 'eslint.js'), '--max-warnings', '0', '.'] },
  {
    name: 'format',
    args: [
      inModules('prettier', 'bin', 'prettier.cjs'),
      '--check',
      '--cache',
      '--log-level',
      'warn',
      '.',
    ],
  },
  vitestStep('unit'),
  branchStep('lib/domain'),
  vitestStep('db'),
]

function vitestStep(
  project: string,
  { name = project, only = [], env = {} }: Partial<Chosen> = {},
): Step {
  const report = join(reports, `${name}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return {
    name: `${name} tests`,
    args: [inModules('vitest', 'vitest.mjs'), 'run', '--project', project, ...only, ...reporters],
    env: { NODE_ENV: 'test', ...env },
    count: () => readVitest(report),
  }
}

type Chosen = {
  readonly name: string
  readonly only: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

type Service = {
  readonly step: Step
  readonly programs: readonly string[]
  readonly packages: readonly string[]
}

// Behind what operators put beside Darkroom, and npm does not bring.
const services: readonly Service[] = [
  {
    // Every kind of statement, races, and workers that are killed.
    step: vitestStep('db', {
      name: 'PgBouncer',
      only: [
        'lib/db/races.db.test.ts',
        'lib/db/throttle.db.test.ts',
        'lib/use-cases/audit-ledger.db.test.ts',
        'lib/use-cases/replays.db.test.ts',
        'lib/use-cases/sessions.db.test.ts',
        'lib/use-cases/spending.db.test.ts',
        'lib/use-cases/submission.db.test.ts',
        'test/crash/crash.db.test.ts',
      ],
      env: { TEST_POOLER: '1', CRASH_KILLS: '6' },
    }),
    programs: ['pgbouncer'],
    packages: ['pgbouncer'],
  },
  {
    step: vitestStep('services', { name: 'Ceph' }),
    programs: ['ceph', 'ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin'],
    packages: ['ceph-common', 'ceph-mon', 'ceph-osd', 'radosgw'],
  },
]

/** Fails unless the folder's own tests, by themselves, take every branch of what they test. */
function branchStep(folder: string): Step {
  return {
    name: 'every branch',
    args: [
      ...[inModules('vitest', 'vitest.mjs'), 'run', '--project', 'unit', folder, '--coverage'],
      `--coverage.include=${folder}/**/*.ts`,
      '--coverage.thresholds.branches=100',
      ...['--coverage.reporter=text', '--coverage.skipFull'],
      `--coverage.reportsDirectory=${join(reports, 'coverage')}`,
    ],
    env: { NODE_ENV: 'test' },
  }
}

function browserStep(chromiumPath: string): Step {
  const report = join(reports, 'browser.json')
  return {
    name: 'browser tests',
    args: [
      inModules('@playwright', 'test', 'cli.js'),
      'test',
      '--project=tests',
      '--reporter=list,json',
    ],
    env: { CHROMIUM_PATH: chromiumPath, PLAYWRIGHT_JSON_OUTPUT_NAME: report, NODE_ENV: 'test' },
    count: () => readPlaywright(report),
  }
}

async function build(): Promise<Outcome> {
  const none = { name: 'build', passed: 1, failed: 0, seconds: 0, output: '' }
  let outcome: Outcome = none
  const run = async () => {
    outcome = await runStep({
      name: 'build',
      args: [next, 'build'],
      env: { NODE_ENV: 'production' },
    })
    // Thrown, so that a build that failed is not remembered as one.
    if (outcome.failed > 0) throw new LaunchError('next build failed')
  }
  try {
    await buildIfChanged({ build: run, say: () => undefined })
    return outcome
  } catch (error) {
    return outcome.failed > 0 ? outcome : failed('build', messageOf(error))
  }
}

async function browserTests(): Promise<Outcome> {
  const path = findChromium({
    env: process.env,
    playwrightPath: chromium.executablePath(),
    say: (line) => process.stdout.write(`${line} `),
  })
  if (path !== undefined) return await runStep(browserStep(path))
  return failed('browser tests', 'There is no Chromium. Install one, or name one in CHROMIUM_PATH.')
}

/** Where a program is not there and cannot be had, nothing is tested with it, and that is said. */
async function serviceTests({ step, programs, packages }: Service): Promise<Outcome> {
  const isThere = () => arePresent(programs, process.env['PATH'] ?? '')
  if (!isThere()) {
    process.stdout.write('Installing ... ')
    installDebians(packages)
  }
  if (isThere()) return await runStep(step)
  process.stdout.write(`Not here: ${packages.join(', ')}. `)
  return { name: step.name, passed: 0, failed: 0, seconds: 0, output: '' }
}

const failed = (name: string, output: string): Outcome => ({
  name,
  passed: 0,
  failed: 1,
  seconds: 0,
  output: `${output}\n`,
})

async function report(name: string, work: () => Promise<Outcome>): Promise<Outcome> {
  process.stdout.write(`${name.padEnd(14)} `)
  const outcome = await work()
  const result = outcome.failed > 0 ? `${outcome.failed} FAILED, ` : ''
  console.log(`${result}${outcome.passed} passed  ${outcome.seconds.toFixed(1)} s`)
  return outcome
}

async function testAll(): Promise<number> {
  const outcomes: Outcome[] = []
  for (const step of checks) outcomes.push(await report(step.name, () => runStep(step)))
  for (const service of services) {
    outcomes.push(await report(service.step.name, () => serviceTests(service)))
  }
  const built = await report('build', build)
  outcomes.push(built)
  outcomes.push(
    await report('soak', async () =>
      built.failed > 0
        ? failed('soak', 'Not run: there is nothing to run without the build.')
        : await runStep(vitestStep('soak')),
    ),
  )
  outcomes.push(
    await report('browser tests', async () =>
      built.failed > 0
        ? failed('browser tests', 'Not run: there is nothing to test without the build.')
        : await browserTests(),
    ),
  )
  for (const { name, output } of outcomes.filter(({ failed }) => failed > 0)) {
    console.log(`\n=== ${name} ===\n${output.trim()}`)
  }
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0)
  const failures = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0)
  console.log(`\n${passed} passed, ${failures} failed`)
  return failures === 0 ? 0 : 1
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stopStep()
    console.log(`\nStopped by ${signal}.`)
    process.exit(1)
  })
}

process.on('exit', () => rmSync(reports, { recursive: true, force: true }))

process.exit(await testAll())
