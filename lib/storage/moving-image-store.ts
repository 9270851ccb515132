import { ImageConflictError, type ImageStore } from './image-store'

/**
 * One store that takes the place of another: new objects go into `next`, and what is not there yet is
 * read from `before`. Right also while `copyImages` goes on, and when several processes do this at once.
 */
export function createMovingImageStore(next: ImageStore, before: ImageStore): ImageStore {
  return {
    get: async (key) => (await next.get(key)) ?? (await before.get(key)),

    async put(key, bytes) {
      // The first object wins, wherever it is.
      const present = await before.get(key)
      if (present?.equals(bytes) === false) {
        throw new ImageConflictError(`another object is stored under ${key}`)
      }
      await next.put(key, bytes)
    },

    async remove(key) {
      // In this order: whoever copies it at this moment sees afterwards that its source is gone.
      await before.remove(key)
      await next.remove(key)
    },

    check: () => next.check(),

    async *list() {
      const listed = new Set<string>()
      for await (const key of next.list()) {
        listed.add(key)
        yield key
      }
      for await (const key of before.list()) if (!listed.has(key)) yield key
    },
  }
}
