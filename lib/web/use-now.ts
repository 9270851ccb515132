import { useSyncExternalStore } from 'react'

const TICK_MS = 1_000

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

// One interval for every clock on the page, so that they all turn together.
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => listeners.forEach((each) => each()), TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

// Whole ticks: between two of them the reading must not change, or React would render for ever.
const read = () => Math.floor(Date.now() / TICK_MS) * TICK_MS

/** The browser's time in whole ticks; undefined on the server, whose second is not the browser's. */
export function useNow(): number | undefined {
  return useSyncExternalStore<number | undefined>(subscribe, read, () => undefined)
}
