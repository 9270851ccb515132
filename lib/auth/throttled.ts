const FORM = /^throttled:(\d{1,7})$/

/** next-auth hands an error's message on to the browser, and nothing else. */
export function throttledError(seconds: number): Error {
  return new Error(`throttled:${seconds}`)
}

/** The seconds of such a message, or undefined when it is another. */
export function throttledSeconds(message: string | null | undefined): number | undefined {
  const seconds = FORM.exec(message ?? '')?.[1]
  return seconds === undefined ? undefined : Number(seconds)
}
