import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** One hash over files and folders, by name and content. What does not exist counts as absent. */
export function hashSources(folder: string, entries: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of entries.flatMap((entry) => filesUnder(join(folder, entry)))) {
    const content = readFileSync(file)
    // The length keeps the end of one file from passing for the beginning of the next.
    hash.update(`${relative(folder, file).split(sep).join('/')}\0${content.length}\0`)
    hash.update(content)
  }
  return hash.digest('hex')
}

function filesUnder(path: string): readonly string[] {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return []
  if (found.isFile()) return [path]
  return (
    readdirSync(path, { recursive: true, encoding: 'utf8' })
      // Neither tests nor hidden files, as those of editors, are built.
      .filter((name) => !/\.test\.tsx?$|(^|[\\/])\./.test(name))
      .sort()
      .map((name) => join(path, name))
      .filter((file) => statSync(file).isFile())
  )
}
