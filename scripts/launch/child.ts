import { spawn } from 'node:child_process'
import { closeSync, openSync, statSync } from 'node:fs'
import { systemCode } from './launch-error'

// Enough for weeks of ordinary use; a log is started afresh only when its program is.
const LOG_BYTES_MAX = 10 * 1024 * 1024

export type ChildSpec = {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly logFile: string
  /** Asks it to finish what it is doing and end. */
  readonly stopSignal: 'SIGTERM' | 'SIGINT'
  /** Ends it at once. PostgreSQL has a gentler way than SIGKILL, which leaves its children. */
  readonly killSignal: 'SIGKILL' | 'SIGQUIT'
  /** How long it may take to end when asked. */
  readonly graceMs: number
  readonly ids?: { readonly uid: number; readonly gid: number }
}

export type Child = {
  readonly spec: ChildSpec
  /** How it ended, in words: "exit code 1", "signal SIGKILL". */
  readonly ended: Promise<string>
  readonly hasEnded: () => boolean
  readonly kill: (signal: NodeJS.Signals) => void
  readonly stop: () => Promise<void>
}

export function startChild(spec: ChildSpec): Child {
  const log = openLog(spec.logFile)
  const child = spawn(spec.command, spec.args, {
    cwd: spec.cwd,
    env: spec.env,
    stdio: ['ignore', log, log],
    // A group of its own: Ctrl-C reaches the launcher alone, which then ends them in order.
    detached: true,
    ...spec.ids,
  })
  closeSync(log)
  let over = false
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => {
      over = true
      resolve(error.message)
    })
    child.once('exit', (code, signal) => {
      over = true
      resolve(signal === null ? `exit code ${String(code)}` : `signal ${signal}`)
    })
  })
  const kill = (signal: NodeJS.Signals): void => {
    if (over || child.pid === undefined) return
    signalProcess(child.pid, signal)
  }
  return { spec, ended, hasEnded: () => over, kill, stop: () => stopChild({ spec, ended, kill }) }
}

async function stopChild({ spec, ended, kill }: Pick<Child, 'spec' | 'ended' | 'kill'>) {
  kill(spec.stopSignal)
  const timer = setTimeout(() => kill(spec.killSignal), spec.graceMs)
  await ended
  clearTimeout(timer)
}

// Killing takes the whole group, so that nothing the program started is left.
function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(signal === 'SIGKILL' ? -pid : pid, signal)
  } catch (error) {
    // It ended before it could be told to.
    if (systemCode(error) !== 'ESRCH') throw error
  }
}

function openLog(path: string): number {
  const tooLarge = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES_MAX
  return openSync(path, tooLarge ? 'w' : 'a', 0o600)
}
