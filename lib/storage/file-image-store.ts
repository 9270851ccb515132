import { randomUUID } from 'node:crypto'
import { link, readdir, readFile, stat, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { makeFolder, syncFolder, writeDurably } from './durable-files'
import { ImageConflictError, type ImageStore } from './image-store'

// Where files are written before they have their name. Nothing is ever read from here.
const UNFINISHED = '.unfinished'
// What a process left when it died. The slowest write is over long before.
const UNFINISHED_MS_MAX = 60 * 60 * 1_000

const ErrnoException = z.object({ code: z.string() })
const hasCode = (error: unknown, code: string) =>
  ErrnoException.safeParse(error).data?.code === code

/** Files below one folder. A file appears whole or not at all, and is never replaced. */
export function createFileImageStore(root: string): ImageStore {
  const pathOf = (key: string) => join(root, key)
  const unfinished = join(root, UNFINISHED)
  let isSwept = false

  async function get(key: string): Promise<Buffer | undefined> {
    try {
      return await readFile(pathOf(key))
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined
      throw error
    }
  }

  async function prepare(): Promise<void> {
    await makeFolder(unfinished)
    if (isSwept) return
    isSwept = true
    await sweep(unfinished)
  }

  return {
    get,

    async put(key, bytes) {
      const path = pathOf(key)
      const folder = dirname(path)
      await prepare()
      await makeFolder(folder)
      const temporary = join(unfinished, randomUUID())
      try {
        await writeDurably(temporary, bytes)
        // A link refuses to replace what is there, where a rename would.
        await link(temporary, path)
        await syncFolder(folder)
      } catch (error) {
        if (!hasCode(error, 'EEXIST')) throw error
        const present = await get(key)
        if (present?.equals(bytes) !== true) {
          throw new ImageConflictError(`another object is stored under ${key}`)
        }
      } finally {
        await remove(temporary)
      }
    },

    async remove(key) {
      const path = pathOf(key)
      await remove(path)
      // Without its folder there was no file.
      await syncFolder(dirname(path)).catch((error: unknown) => {
        if (!hasCode(error, 'ENOENT')) throw error
      })
    },

    async check() {
      await prepare()
      // A full disk may still say that it can be written.
      const probe = join(unfinished, randomUUID())
      try {
        await writeFile(probe, 'probe')
      } finally {
        await remove(probe)
      }
    },

    list: () => filesBelow(root, ''),
  }
}

/** Hidden ones are none of ours, or not finished. */
async function* filesBelow(root: string, folder: string): AsyncGenerator<string> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(
    (error: unknown) => {
      if (hasCode(error, 'ENOENT')) return []
      throw error
    },
  )
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue
    const key = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) yield* filesBelow(root, key)
    else yield key
  }
}

async function remove(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
}

async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    try {
      const { mtimeMs } = await stat(path)
      if (Date.now() - mtimeMs > UNFINISHED_MS_MAX) await remove(path)
    } catch (error) {
      // Another process finished it meanwhile.
      if (!hasCode(error, 'ENOENT')) throw error
    }
  }
}
