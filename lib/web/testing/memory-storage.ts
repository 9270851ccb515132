import type { KeyValueStore } from '@/lib/web/browser-storage'

/** A `localStorage` that two accounts, tabs or page loads of a test can share. */
export function memoryStorage(options: { isFull?: () => boolean } = {}): KeyValueStore & {
  readonly keys: () => readonly string[]
} {
  const values = new Map<string, string>()
  return {
    get length() {
      return values.size
    },
    key: (index) => [...values.keys()][index] ?? null,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => {
      if (options.isFull?.()) throw new DOMException('full', 'QuotaExceededError')
      values.set(key, value)
    },
    removeItem: (key) => void values.delete(key),
    keys: () => [...values.keys()],
  }
}
