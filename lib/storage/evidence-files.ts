import { randomUUID } from 'node:crypto'
import { readdir, readFile, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, syncFolder, writeDurably } from './durable-files'

/** Keeps what was learned while the database could not be told. */
export type EvidenceFiles = {
  keep(evidence: unknown): Promise<void>
  /** The names of what is kept, oldest first. */
  list(): Promise<readonly string[]>
  read(name: string): Promise<unknown>
  remove(name: string): Promise<void>
}

/** One JSON file a piece, on disk for certain before `keep` resolves. */
export function createEvidenceFiles(folder: string): EvidenceFiles {
  return {
    async keep(evidence) {
      await makeFolder(folder)
      const name = `${Date.now()}-${randomUUID()}`
      await writeDurably(join(folder, `.${name}.tmp`), Buffer.from(JSON.stringify(evidence)))
      await rename(join(folder, `.${name}.tmp`), join(folder, `${name}.json`))
      await syncFolder(folder)
    },
    async list() {
      await makeFolder(folder)
      return (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()
    },
    async read(name) {
      return JSON.parse(await readFile(join(folder, name), 'utf8')) as unknown
    },
    remove: (name) => unlink(join(folder, name)),
  }
}
