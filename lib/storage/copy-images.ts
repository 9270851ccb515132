import { ImageConflictError, type ImageStore } from './image-store'

export type CopyCount = {
  /** In the target for certain, byte for byte, whether it was before or not. */
  readonly copied: number
  /** Removed from the source meanwhile, by whoever was allowed to. */
  readonly gone: number
  /** Keys under which the target has something else. Nothing was changed there. */
  readonly conflicts: readonly string[]
}

// What a store answers at once without slowing down those whom it serves.
const AT_ONCE = 8

/**
 * Copies every object, while both stores are in use. Done again it compares: the stores refuse to
 * replace anything, and say whether what is there is the same.
 */
export async function copyImages(from: ImageStore, to: ImageStore): Promise<CopyCount> {
  const keys = from.list()[Symbol.asyncIterator]()
  let copied = 0
  let gone = 0
  const conflicts: string[] = []

  const copyOne = async (key: string): Promise<void> => {
    const bytes = await from.get(key)
    if (bytes === undefined) {
      gone += 1
      return
    }
    try {
      await to.put(key, bytes)
    } catch (error) {
      if (!(error instanceof ImageConflictError)) throw error
      conflicts.push(key)
      return
    }
    // Deleted after it was read: the deletion came before this copy and must not be undone by it.
    if ((await from.get(key)) !== undefined) copied += 1
    else {
      await to.remove(key)
      gone += 1
    }
  }

  const copySome = async (): Promise<void> => {
    for (let next = await keys.next(); next.done !== true; next = await keys.next()) {
      await copyOne(next.value)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, copySome))
  return { copied, gone, conflicts: conflicts.toSorted() }
}
