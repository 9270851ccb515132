import { spawn } from 'node:child_process'
import { EnvironmentError, parseEnvironment } from '@/lib/env'
import { buildIfChanged } from './build'
import { LaunchError } from './launch-error'
import { given } from './plan'
import { withNames } from './program-environment'
import { FOLLOWING, following, nextBin } from './programs'
import { inRoot, root } from './root'
import { loadDotEnv } from './run-command'
import { readRunning } from './running'

/**
 * Runs one program and nothing else, for a database that runs elsewhere, and answers its exit code.
 * Beside `npm start` on the same machine it finds the embedded database by itself.
 */
export async function runAlone(program: 'web' | 'worker'): Promise<number> {
  loadDotEnv()
  try {
    const env = withNames(findEnvironment())
    parseEnvironment(env)
    if (program === 'web') await buildIfChanged({ say: console.log, build: buildWeb })
    return await run([...FOLLOWING, '--import', 'tsx', inRoot(program, 'main.ts')], env)
  } catch (error) {
    console.error(
      error instanceof EnvironmentError || error instanceof LaunchError ? error.message : error,
    )
    return 1
  }
}

function findEnvironment(): NodeJS.ProcessEnv {
  const mode = process.env.NODE_ENV === 'development' ? 'development' : 'production'
  const own: NodeJS.ProcessEnv = { ...process.env, NODE_ENV: mode, ...following() }
  if (given(own['DATABASE_URL']) !== undefined) return own
  const running = readRunning(inRoot(given(own['DATA_DIR']) ?? '.data'))
  // A second web server beside the first one has a port of its own.
  const port = given(own['PORT']) ?? running?.['PORT']
  return { ...own, ...running, ...(port === undefined ? {} : { PORT: port }) }
}

/** Builds the web app. Throws `LaunchError` when it cannot be. */
export async function buildWeb(): Promise<void> {
  const code = await run([nextBin(), 'build'], { ...process.env, NODE_ENV: 'production' })
  if (code !== 0) throw new LaunchError('The web app could not be built.')
}

/** Runs Node.js, passes on what it is told to stop with, and answers the exit code. */
async function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  // A group of its own, so that Ctrl-C reaches it once, through us.
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit', detached: true })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => child.kill('SIGTERM'))
  }
  return await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
