import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, link, mkdir, readFile, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { syncFolder, writeDurably } from './durable-files'
import { ImageConflictError, type ImageStore } from './image-store'

const ErrnoException = z.object({ code: z.string() })
const hasCode = (error: unknown, code: string) =>
  ErrnoException.safeParse(error).data?.code === code

/** Files below one folder. A file appears whole or not at all, and is never replaced. */
export function createFileImageStore(root: string): ImageStore {
  const pathOf = (key: string) => join(root, key)

  async function get(key: string): Promise<Buffer | undefined> {
    try {
      return await readFile(pathOf(key))
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined
      throw error
    }
  }

  return {
    get,

    async put(key, bytes) {
      const path = pathOf(key)
      const folder = dirname(path)
      await mkdir(folder, { recursive: true })
      const temporary = join(folder, `.${randomUUID()}.tmp`)
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
        await unlink(temporary).catch((error: unknown) => {
          if (!hasCode(error, 'ENOENT')) throw error
        })
      }
    },

    async check() {
      await mkdir(root, { recursive: true })
      await access(root, constants.W_OK)
    },
  }
}
