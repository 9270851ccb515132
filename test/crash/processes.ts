import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

const program = (
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): ChildProcess =>
  spawn(process.execPath, ['--import', 'tsx', file, ...args], {
    env: { ...process.env, NODE_ENV: 'test', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })

/** Starts a program and resolves when it says so. */
export async function startUntil(
  file: string,
  env: Readonly<Record<string, string>>,
  ready: string,
): Promise<ChildProcess> {
  const child = program(file, [], env)
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes(ready)) resolve()
    })
    child.once('exit', () => reject(new Error(`${file} ended before it was ready`)))
  })
  return child
}

/** Runs a worker until it has killed itself, or kills it at the limit. Answers its last word. */
export async function runMortalWorker(
  death: { readonly effect: number; readonly when: 'before' | 'after' },
  env: Readonly<Record<string, string>>,
  limitMs: number,
): Promise<string> {
  const child = program('test/crash/mortal-worker.ts', [String(death.effect), death.when], env)
  let said = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  // Out of work before its n-th effect: it dies where it stands, which is a death at random.
  const limit = setTimeout(() => child.kill('SIGKILL'), limitMs)
  await once(child, 'close')
  clearTimeout(limit)
  return /killed (?:before|after) \w+/.exec(said)?.[0] ?? 'killed at random'
}

export async function end(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
