const MINUTE_S = 60

/** How long to wait, in the unit that people wait in. */
export function waitWords(seconds: number): string {
  if (seconds <= MINUTE_S) return seconds === 1 ? '1 second' : `${seconds} seconds`
  return `${Math.ceil(seconds / MINUTE_S)} minutes`
}

/** The same whether or not there is such an account. */
export function tooManyTries(seconds: number): string {
  return `Too many tries. Try again in ${waitWords(seconds)}.`
}
