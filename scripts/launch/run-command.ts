import { existsSync } from 'node:fs'
import { EnvironmentError } from '@/lib/env'
import { parentOf } from '@/scripts/lock.mjs'
import { MigrationError } from '@/scripts/migrate'
import { launch, type Launched } from './launch'
import { LaunchError, messageOf } from './launch-error'
import type { Mode } from './plan'
import { inRoot } from './root'
import { shownPath } from './shown-path'

// On a terminal Ctrl-C reaches the launcher twice, from the terminal and through npm.
const SAME_SIGNAL_MS = 1_000
const PARENT_CHECK_MS = 1_000

export function loadDotEnv(): void {
  if (existsSync(inRoot('.env'))) process.loadEnvFile(inRoot('.env'))
}

/** `npm start` and `npm run dev`: from start to stop, with the exit code of the process. */
export async function runCommand(mode: Mode): Promise<number> {
  const stopping = new AbortController()
  const killing = new AbortController()
  onStopSignal({
    first: () => stopping.abort(),
    second: () => {
      killing.abort()
      process.exit(130)
    },
  })
  try {
    loadDotEnv()
    const running = await launch({
      mode,
      env: process.env,
      say: console.log,
      signal: stopping.signal,
      killSignal: killing.signal,
    })
    console.log(describe(running))
    const crash = await Promise.race([running.crashed, aborted(stopping.signal)])
    if (crash !== undefined) console.error(crash)
    console.log('Stopping ...')
    await running.stop()
    return crash === undefined ? 0 : 1
  } catch (error) {
    if (stopping.signal.aborted) return 0
    const isExpected = [LaunchError, EnvironmentError, MigrationError].some(
      (kind) => error instanceof kind,
    )
    console.error(isExpected || !(error instanceof Error) ? messageOf(error) : error.stack)
    return 1
  }
}

function describe({ url, simulatorUrl, credentials, dataDir, logs }: Launched): string {
  const seconds = (performance.now() / 1_000).toFixed(1)
  const lines = [
    ['Darkroom', url],
    ...(credentials === undefined
      ? []
      : [
          ['Demo user', `${credentials.user.email}   ${credentials.user.password}`],
          ['Demo admin', `${credentials.admin.email}  ${credentials.admin.password}`],
        ]),
    ['Simulator', simulatorUrl ?? 'off'],
    ['Data', shownPath(dataDir)],
    ['Logs', shownPath(logs)],
  ].map(([name = '', value = '']) => `  ${name.padEnd(11)} ${value}`)
  return ['', `Ready after ${seconds} s.`, '', ...lines, '', 'Press Ctrl-C to stop.'].join('\n')
}

async function aborted(signal: AbortSignal): Promise<undefined> {
  if (signal.aborted) return
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
}

function onStopSignal(handlers: { readonly first: () => void; readonly second: () => void }): void {
  let firstAt: number | undefined
  const handle = (): void => {
    if (firstAt === undefined) {
      firstAt = performance.now()
      handlers.first()
    } else if (performance.now() - firstAt > SAME_SIGNAL_MS) {
      handlers.second()
    }
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, handle)

  // npm passes signals on, but not its own sudden death.
  if (process.env['npm_lifecycle_event'] === undefined) return
  const before = ancestors()
  const timer = setInterval(() => {
    if (ancestors() === before) return
    clearInterval(timer)
    handlers.first()
  }, PARENT_CHECK_MS)
  timer.unref()
}

// npm starts us through a shell, which may stay in between.
const ancestors = (): string => `${process.ppid} ${String(parentOf(process.ppid))}`
