export const SEED_MAX = 2 ** 32 - 1

/** The seed that typed text names, or undefined. */
export function parseSeed(text: string): number | undefined {
  if (!/^\d{1,10}$/.test(text.trim())) return undefined
  const seed = Number(text)
  return isSeed(seed) ? seed : undefined
}

export function isSeed(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= SEED_MAX
}
