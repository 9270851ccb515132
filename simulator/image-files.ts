import { mkdirSync } from 'node:fs'
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'

export type ImageFiles = ReturnType<typeof openImageFiles>

/** Finished pictures, one file per task. */
export function openImageFiles(folder: string) {
  mkdirSync(folder, { recursive: true })
  const pathOf = (taskId: string) => join(folder, `${taskId}.png`)

  return {
    /** Whole or not at all: a reader never sees half a picture, and a power cut leaves none behind. */
    async write(taskId: string, bytes: Uint8Array): Promise<void> {
      const temporary = `${pathOf(taskId)}.part`
      const file = await open(temporary, 'w')
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(temporary, pathOf(taskId))
    },

    read: (taskId: string): Promise<Uint8Array> => readFile(pathOf(taskId)),
  }
}
