import { createDeps, type AppDeps } from '@/lib/deps'
import { parseEnvironment, type Environment } from '@/lib/env'
import { inRoot } from '@/scripts/launch/root'
import { loadDotEnv } from '@/scripts/launch/run-command'
import { readRunning } from '@/scripts/launch/running'
import { CliError } from './cli-error'

// Nothing that an operator does here signs anything.
const UNUSED_SECRET = 'a command line needs no secret of its own'

/**
 * The database that the environment names, or that of the Darkroom that runs here with the embedded
 * one. What is logged would mix with the answers, so nothing is.
 */
export function openDeps(): AppDeps {
  loadDotEnv()
  return createDeps(readEnvironment(process.env), 'cli')
}

export function readEnvironment(source: NodeJS.ProcessEnv): Environment {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
  const running = given['DATABASE_URL'] ? {} : readRunning(inRoot(given['DATA_DIR'] ?? '.data'))
  if (running === undefined) {
    throw new CliError(
      'No database: Darkroom is not running here. Start it with `npm start`, or set DATABASE_URL.',
    )
  }
  return parseEnvironment({
    AUTH_SECRET: UNUSED_SECRET,
    ...running,
    ...given,
    LOG_LEVEL: 'silent',
  })
}
