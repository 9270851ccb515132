import { spawn, type ChildProcess } from 'node:child_process'
import { messageOf } from '@/scripts/launch/launch-error'
import { root } from '@/scripts/launch/root'
import type { Count } from './reports'

export type Step = {
  readonly name: string
  /** Arguments of Node.js. */
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Where it runs; the repository, unless it says so. */
  readonly cwd?: string
  /** How many tests ran; without it the step counts as one. */
  readonly count?: () => Count
}

export type Outcome = Count & {
  readonly name: string
  readonly seconds: number
  /** Everything it printed. */
  readonly output: string
}

let running: ChildProcess | undefined

/** Ends the step that is under way. */
export const stopStep = (): void => void running?.kill('SIGTERM')

/** Runs a step to its end. Whatever goes wrong in it is at least one failure. */
export async function runStep(step: Step): Promise<Outcome> {
  const start = performance.now()
  const { isOk, output } = await run(step)
  const seconds = (performance.now() - start) / 1_000
  const { passed, failed, note } = judge(step, isOk)
  return { name: step.name, seconds, output: `${output}${note}`, passed, failed }
}

function judge({ count }: Step, isOk: boolean): Count & { readonly note: string } {
  const asOne = { passed: isOk ? 1 : 0, failed: isOk ? 0 : 1, note: '' }
  if (count === undefined) return asOne
  try {
    const { passed, failed } = count()
    if (passed + failed === 0) return { passed: 0, failed: 1, note: 'No tests ran.\n' }
    return { passed, failed: isOk ? failed : Math.max(failed, 1), note: '' }
  } catch (error) {
    return { passed: 0, failed: 1, note: `There is no report: ${messageOf(error)}\n` }
  }
}

async function run({ args, env, cwd = root }: Step): Promise<{ isOk: boolean; output: string }> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env, FORCE_COLOR: '0', NO_COLOR: '1', NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running = child
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
  }
  return await new Promise((resolve) => {
    const finish = (isOk: boolean, note = '') =>
      resolve({ isOk, output: Buffer.concat(chunks).toString('utf8') + note })
    child.once('error', (error) => finish(false, `${error.message}\n`))
    child.once('close', (code) => finish(code === 0))
  })
}
