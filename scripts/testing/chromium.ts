import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { installDebians, isExecutable } from './debian'

const SYSTEM_NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
] as const
const INSTALL_MS_MAX = 10 * 60_000

export type FindOptions = {
  readonly env: NodeJS.ProcessEnv
  /** Where Playwright keeps the browser that it installs. */
  readonly playwrightPath: string
  readonly say: (line: string) => void
}

/** The browser to test in, installed if need be; undefined when there is none and none can be had. */
export function findChromium(options: FindOptions): string | undefined {
  const { env, playwrightPath, say } = options
  const asked = env['CHROMIUM_PATH']
  if (asked) {
    if (isExecutable(asked)) return asked
    say(`CHROMIUM_PATH names no program: ${asked}`)
    return undefined
  }
  const found = findInstalled(env, playwrightPath)
  if (found !== undefined) return found
  say('Installing Chromium ...')
  installPlaywrights()
  if (isExecutable(playwrightPath) && starts(playwrightPath)) return playwrightPath
  installDebians(['chromium'])
  return findInstalled(env, playwrightPath)
}

function findInstalled(env: NodeJS.ProcessEnv, playwrightPath: string): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter)
  const candidates = SYSTEM_NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...candidates, playwrightPath].find((path) => isExecutable(path) && starts(path))
}

// Playwright's download lacks the system libraries that it needs, and Ubuntu's `chromium-browser` may be
// a note that says to install something else.
const starts = (path: string): boolean =>
  spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 30_000 }).status === 0

function installPlaywrights(): void {
  spawnSync(
    process.execPath,
    [join('node_modules', 'playwright', 'cli.js'), 'install', 'chromium'],
    {
      stdio: 'ignore',
      timeout: INSTALL_MS_MAX,
    },
  )
}
