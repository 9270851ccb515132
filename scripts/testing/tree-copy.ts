import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { LaunchError } from '@/scripts/launch/launch-error'
import { inRoot, root } from '@/scripts/launch/root'

const GENERATED = join('lib', 'db', 'generated')

/**
 * A copy of the working tree as it is, changes and new files too, that tests can be run in. What is
 * installed is shared with it. Answers its folder.
 */
export function copyTree(): string {
  const folder = mkdtempSync(join(tmpdir(), 'darkroom-mutation-'))
  for (const path of filesOfTree()) {
    const target = join(folder, path)
    mkdirSync(dirname(target), { recursive: true })
    copyFileSync(inRoot(path), target)
  }
  cpSync(inRoot(GENERATED), join(folder, GENERATED), { recursive: true })
  symlinkSync(inRoot('node_modules'), join(folder, 'node_modules'), 'junction')
  return folder
}

/** Whatever git tracks or would, as it is now. */
export function filesOfTree(): readonly string[] {
  const { status, stdout, stderr } = spawnSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1_024 * 1_024 },
  )
  if (status !== 0) throw new LaunchError(`git cannot list the files: ${stderr}`)
  // One that is deleted and not yet committed is listed still.
  return stdout.split('\0').filter((path) => path !== '' && existsSync(inRoot(path)))
}
