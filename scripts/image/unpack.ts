import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { LaunchError } from '@/scripts/launch/launch-error'
import { inRoot } from '@/scripts/launch/root'
import { filesOfTree } from '@/scripts/testing/tree-copy'
import { isIgnored, readRecipe, type Stage } from './recipe'

const Manifest = z.object({ encryptionKey: z.string() })

export type Unpacked = { readonly image: Stage; readonly folder: string }

/**
 * Does in folders what the stages of the Dockerfile do in layers, and answers what would be /app of the
 * image. Installs and builds with the same commands, under Node.js and the system of this machine.
 */
export function unpackImage(work: string, serverActionsKey: string): Unpacked {
  const stages = readRecipe(readFileSync(inRoot('Dockerfile'), 'utf8'))
  const image = stages.at(-1)
  if (!image) throw new LaunchError('The Dockerfile has no stage.')
  for (const stage of stages) {
    const folder = join(work, stage.name)
    mkdirSync(folder)
    for (const { from, sources, to } of stage.copies) {
      for (const source of sources) {
        if (from === undefined) copyContext(source, join(folder, to))
        else copy(join(work, from, source.replace(/^\/app\//, '')), join(folder, to))
      }
    }
    if (stage !== image) for (const run of stage.runs) runIn(folder, run, serverActionsKey)
  }
  const built = Manifest.parse(
    JSON.parse(
      readFileSync(join(work, image.name, '.next/server/server-reference-manifest.json'), 'utf8'),
    ),
  )
  if (built.encryptionKey !== serverActionsKey) {
    throw new LaunchError('The build did not take NEXT_SERVER_ACTIONS_ENCRYPTION_KEY.')
  }
  return { image, folder: join(work, image.name) }
}

function copyContext(source: string, target: string): void {
  const ignored = readFileSync(inRoot('.dockerignore'), 'utf8')
  if (source !== '.') {
    if (isIgnored(source, ignored)) throw new LaunchError(`.dockerignore keeps out ${source}`)
    copyFileSync(inRoot(source), join(target, basename(source)))
    return
  }
  for (const path of filesOfTree().filter((one) => !isIgnored(one, ignored))) {
    const to = join(target, path)
    mkdirSync(dirname(to), { recursive: true })
    copyFileSync(inRoot(path), to)
  }
}

function copy(source: string, target: string): void {
  cpSync(source, target, { recursive: true, verbatimSymlinks: true })
}

function runIn(folder: string, run: string, serverActionsKey: string): void {
  // What BuildKit alone understands is the secret, which is given here.
  const command = run.replace(/^--mount=\S+ /, '')
  console.log(`  ${command}`)
  const { status, stdout, stderr } = spawnSync('sh', ['-euc', `unset NODE_ENV; ${command}`], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      // Unset above: with it npm would leave out what builds.
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: serverActionsKey,
    },
    maxBuffer: 64 * 1_024 * 1_024,
  })
  if (status !== 0) throw new LaunchError(`${command} failed:\n${stdout}${stderr}`)
}

/** Frees what was unpacked. */
export const removeUnpacked = (work: string): void => rmSync(work, { recursive: true, force: true })
