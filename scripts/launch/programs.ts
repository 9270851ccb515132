import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ChildSpec } from './child'
import type { Mode } from './plan'
import { inRoot, root } from './root'

// What a simulator may take to answer the requests it has.
const GRACE_MS = 10_000
// Added to the time that a worker or a web server itself allows for what it has begun.
const EXTRA_MS = 5_000

const require = createRequire(import.meta.url)
const FOLLOW_PARENT = pathToFileURL(join(import.meta.dirname, 'follow-parent.mjs')).href

/** Options of Node.js, and variables, that make a program end when this process does. */
export const FOLLOWING = ['--import', FOLLOW_PARENT] as const
export const following = () => ({ LAUNCHER_PID: String(process.pid) })

type ProgramOptions = {
  readonly mode: Mode
  readonly env: NodeJS.ProcessEnv
  readonly logsDir: string
}

type Program = {
  readonly name: string
  readonly args: readonly string[]
  readonly graceMs?: number
}

function program({ env, logsDir }: ProgramOptions, { name, args, graceMs }: Program): ChildSpec {
  return {
    name,
    command: process.execPath,
    args: [...FOLLOWING, ...args],
    env: { ...env, ...following() },
    cwd: root,
    logFile: join(logsDir, `${name}.log`),
    stopSignal: 'SIGTERM',
    killSignal: 'SIGKILL',
    graceMs: graceMs ?? GRACE_MS,
  }
}

export const nextBin = () =>
  join(dirname(require.resolve('next/package.json')), 'dist', 'bin', 'next')

// In development a changed file starts the program anew.
const typeScript = (mode: Mode, file: string): readonly string[] =>
  mode === 'production'
    ? ['--import', 'tsx', file]
    : [join(dirname(require.resolve('tsx/package.json')), 'dist', 'cli.mjs'), 'watch', file]

export const buildProgram = (options: ProgramOptions): ChildSpec =>
  program(options, { name: 'build', args: [nextBin(), 'build'] })

export const seedProgram = (options: ProgramOptions): ChildSpec =>
  program(options, { name: 'seed', args: ['--import', 'tsx', inRoot('prisma', 'seed.ts')] })

export const simulatorProgram = (options: ProgramOptions): ChildSpec =>
  program(options, {
    name: 'simulator',
    args: typeScript(options.mode, inRoot('simulator', 'main.ts')),
  })

export const workerProgram = (options: ProgramOptions, drainMs: number): ChildSpec =>
  program(options, {
    name: 'worker',
    args: typeScript(options.mode, inRoot('worker', 'main.ts')),
    graceMs: drainMs + EXTRA_MS,
  })

/** It listens on the port of its environment. */
export const webProgram = (options: ProgramOptions, drainMs: number): ChildSpec =>
  program(options, {
    name: 'web',
    args:
      options.mode === 'production'
        ? ['--import', 'tsx', inRoot('web', 'main.ts')]
        : [nextBin(), 'dev'],
    graceMs: drainMs + EXTRA_MS,
  })
