import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { takeLock } from '@/scripts/lock.mjs'
import { compressFiles } from './compress-files'
import { inRoot, root } from './root'
import { hashSources } from './source-hash'

/** Whatever a build is made of: when one of them changes, the app is built anew. */
export const SOURCES = [
  'app',
  'components',
  'lib',
  'messages',
  'public',
  'instrumentation.ts',
  'proxy.ts',
  'next.config.ts',
  'postcss.config.mjs',
  'tsconfig.json',
  'package-lock.json',
  'prisma/schema.prisma',
] as const

const STAMP = inRoot('.next', 'sources.sha256')
const LOCK = inRoot('node_modules', '.cache', 'darkroom', 'build.lock')

const isCurrent = (hash: string): boolean =>
  existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash

type BuildOptions = {
  readonly build: () => Promise<void>
  readonly say: (line: string) => void
}

/** Builds the web app unless the build at hand is of these very sources. */
export async function buildIfChanged({ build, say }: BuildOptions): Promise<void> {
  if (isCurrent(hashSources(root, SOURCES))) return
  const lock = await takeBuildLock(say)
  try {
    const hash = hashSources(root, SOURCES)
    // Whoever had the lock before may have made it.
    if (isCurrent(hash)) return
    say('Building the web app (only when its sources changed, about a minute) ...')
    rmSync(STAMP, { force: true })
    await build()
    await compressFiles(inRoot('.next', 'static'))
    writeFileSync(STAMP, hash)
  } finally {
    lock.release()
  }
}

// Two builds at once would write into one folder.
async function takeBuildLock(say: (line: string) => void): Promise<{ release: () => void }> {
  mkdirSync(dirname(LOCK), { recursive: true })
  for (let told = false; ; told = true) {
    const lock = takeLock(LOCK)
    if ('release' in lock) return lock
    if (!told) say(`Waiting for the build of another program (process ${lock.heldBy}) ...`)
    await pause(500)
  }
}
