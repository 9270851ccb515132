/** The part of `localStorage` that is used, so that a test can stand in for it. */
export type KeyValueStore = {
  readonly length: number
  key(index: number): string | null
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** Undefined on the server, and where the browser forbids storage: merely touching it then throws. */
export function browserStorage(): KeyValueStore | undefined {
  if (typeof window === 'undefined') return undefined
  try {
    return window.localStorage
  } catch {
    return undefined
  }
}

/** False when the value was not kept: storage is missing, full or forbidden. Read back, not believed. */
export function tryStore(store: KeyValueStore | undefined, key: string, value: string): boolean {
  try {
    store?.setItem(key, value)
    return store?.getItem(key) === value
  } catch {
    return false
  }
}

/** Undefined for text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
