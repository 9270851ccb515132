import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { LaunchError } from '@/scripts/launch/launch-error'
import type { Unpacked } from './unpack'

export type Variables = Readonly<Record<string, string>>

/** Somewhere to write, as the volume and the temporary file system of a container. */
export type Places = { readonly data: string; readonly temporary: string; readonly logs: string }

/** A container's program: as its user, in its folder, with its variables and no others. */
export function createRunner({ image, folder }: Unpacked, places: Places) {
  const [uid = 0, gid = uid] = (image.user ?? '').split(':').map(Number)
  // Only root may be somebody else. Another user cannot write either: the folder was made so.
  const ids = process.getuid?.() === 0 ? { uid, gid } : {}
  const optionsWith = (variables: Variables) => ({
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      TMPDIR: places.temporary,
      ...image.env,
      NODE_ENV: 'production' as const,
      DATA_DIR: places.data,
      ...variables,
    },
    ...ids,
  })
  const command = (args: readonly string[]) => {
    const [program = '', ...rest] = [...image.entrypoint, ...args]
    return [program, rest] as const
  }

  return {
    ids: { uid, gid },

    /** What it prints. Throws when it does not end well. */
    once(args: readonly string[], variables: Variables): string {
      const [program, rest] = command(args)
      const result = spawnSync(program, rest, { ...optionsWith(variables), encoding: 'utf8' })
      if (result.status !== 0) {
        throw new LaunchError(`${args.join(' ')} failed:\n${result.stdout}${result.stderr}`)
      }
      return result.stdout
    },

    start(args: readonly string[], variables: Variables): ChildProcess {
      const [program, rest] = command(args)
      const log = openSync(join(places.logs, `${args[0] ?? 'image'}.log`), 'a')
      const child = spawn(program, rest, {
        ...optionsWith(variables),
        stdio: ['ignore', log, log],
      })
      closeSync(log)
      return child
    },

    /** What the engine would ask again and again. */
    isHealthy(variables: Variables): boolean {
      const [program = '', ...rest] = image.health
      return spawnSync(program, rest, optionsWith(variables)).status === 0
    },
  }
}

/** As an engine stops a container. Throws when it had to be killed, or ended badly. */
export async function stopInOrder(name: string, child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) throw new LaunchError(`${name} ended by itself`)
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${String(code)}`))
  })
  child.kill('SIGTERM')
  const how = await ended
  if (how !== 'exit code 0') throw new LaunchError(`${name} ended with ${how}`)
}
