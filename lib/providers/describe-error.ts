/** The error's code and message, short: these go into the history. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  const code = 'code' in error && typeof error.code === 'string' ? `${error.code}: ` : ''
  const cause = error.cause instanceof Error ? ` (${describeError(error.cause)})` : ''
  return `${code}${error.message}${cause}`.slice(0, 300)
}
