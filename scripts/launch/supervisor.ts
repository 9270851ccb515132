import { startChild, type Child, type ChildSpec } from './child'
import { LaunchError } from './launch-error'
import { shownPath } from './shown-path'

// Each group ends before the next is asked to: the web server and the worker use the other two.
const STOP_ORDER = [['build', 'seed', 'web', 'worker'], ['simulator'], ['postgres']] as const

export type Supervisor = {
  readonly start: (spec: ChildSpec) => Child
  /** As `start`, for a program whose end is not yet a crash; `watch` makes it one. */
  readonly begin: (spec: ChildSpec) => Child
  readonly watch: (child: Child) => void
  /** Runs a program to its end; throws unless that was its success. */
  readonly run: (spec: ChildSpec, failure: string) => Promise<void>
  readonly kill: (name: string, signal: NodeJS.Signals) => Promise<void>
  readonly restart: (name: string) => Promise<void>
  readonly stopAll: () => Promise<void>
  readonly killAll: () => void
  /** One line, once a program has ended that nobody asked to. */
  readonly crashed: Promise<string>
}

export function createSupervisor(): Supervisor {
  const children = new Map<string, Child>()
  // Remembered beyond a kill, so that what was killed can be started again.
  const specs = new Map<string, ChildSpec>()
  let isClosing = false
  let reportCrash: (line: string) => void = () => undefined
  const crashed = new Promise<string>((resolve) => (reportCrash = resolve))

  const begin = (spec: ChildSpec): Child => {
    if (isClosing) throw new LaunchError('Stopping.')
    const child = startChild(spec)
    specs.set(spec.name, spec)
    children.set(spec.name, child)
    return child
  }
  const watch = (child: Child): void => {
    const { name, logFile } = child.spec
    void child.ended.then((how) => {
      if (children.get(name) !== child || isClosing) return
      reportCrash(`${name} ended unexpectedly (${how}). Its log: ${shownPath(logFile)}`)
    })
  }
  const start = (spec: ChildSpec): Child => {
    const child = begin(spec)
    watch(child)
    return child
  }
  // Whoever takes a child off the list expects its end.
  const take = (name: string): Child | undefined => {
    const child = children.get(name)
    children.delete(name)
    return child
  }

  return {
    crashed,
    start,
    begin,
    watch,
    async run(spec, failure) {
      const how = await begin(spec).ended
      take(spec.name)
      if (how === 'exit code 0') return
      throw new LaunchError(`${failure} (${how}). Its log: ${shownPath(spec.logFile)}`)
    },
    async kill(name, signal) {
      const child = take(name)
      child?.kill(signal)
      await child?.ended
    },
    async restart(name) {
      await take(name)?.stop()
      const spec = specs.get(name)
      if (spec === undefined) throw new LaunchError(`${name} was never started`)
      start(spec)
    },
    async stopAll() {
      isClosing = true
      for (const group of STOP_ORDER) {
        await Promise.all(group.map(async (name) => await children.get(name)?.stop()))
      }
    },
    killAll() {
      isClosing = true
      for (const child of children.values()) child.kill(child.spec.killSignal)
    },
  }
}
