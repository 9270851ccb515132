import { accessSync, constants, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { takeLock } from '@/scripts/lock.mjs'
import { LaunchError, messageOf, systemCode } from './launch-error'
import { shownPath } from './shown-path'

export type DataDir = {
  readonly path: string
  readonly logs: string
  /** Tells other commands on this machine what is running; see `running.ts`. */
  readonly release: () => void
}

/** Makes the folder if need be, and makes sure that it is ours alone. */
export function openDataDir(path: string): DataDir {
  const logs = join(path, 'logs')
  try {
    makeFolder(path)
    if (!existsSync(logs)) mkdirSync(logs, { mode: 0o700 })
    accessSync(logs, constants.W_OK)
    const probe = join(path, `.writable.${process.pid}`)
    writeFileSync(probe, '')
    rmSync(probe)
  } catch (cause) {
    const reason = systemCode(cause) ?? messageOf(cause)
    throw new LaunchError(
      `Cannot write to ${path} (${reason}). Put its owner right, or choose another folder: DATA_DIR=… npm start`,
      { cause },
    )
  }
  const lock = takeLock(join(path, 'launcher.lock'))
  if ('heldBy' in lock) {
    throw new LaunchError(
      `Darkroom is already running with the data in ${shownPath(path)} (process ${lock.heldBy}). ` +
        'Stop it, or choose another folder: DATA_DIR=… PORT=… npm start',
    )
  }
  return { path, logs, release: lock.release }
}

// Node's own recursive mkdir never returns where a folder can neither be made nor explained (/proc).
function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  mkdirSync(path)
}
