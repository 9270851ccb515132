import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const INSTALL_MS_MAX = 10 * 60_000

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Whether each of the programs is in a folder of the PATH. */
export const arePresent = (programs: readonly string[], path: string): boolean =>
  programs.every((name) => path.split(delimiter).some((folder) => isExecutable(join(folder, name))))

/** Installs packages where that is possible: as root of a Debian. Whoever asks looks what came of it. */
export function installDebians(packages: readonly string[]): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  const options = {
    stdio: 'ignore',
    timeout: INSTALL_MS_MAX,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  } as const
  spawnSync('apt-get', ['update'], options)
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...packages], options)
}
