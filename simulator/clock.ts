/** Everything that takes time asks a clock, so that a test can be the clock. */
export type Clock = {
  now(): number
  /** Resolves when the time has come, and at once when it has passed. Rejects when the signal ends. */
  waitUntil(time: number, signal: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  waitUntil: (time, signal) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer)
        reject(new Error('the wait was ended', { cause: signal.reason }))
      }
      const timer = setTimeout(
        () => {
          signal.removeEventListener('abort', stop)
          resolve()
        },
        Math.max(0, time - Date.now()),
      )
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
    }),
}
