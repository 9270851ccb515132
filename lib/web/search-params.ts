export type SearchParams = Promise<Readonly<Record<string, string | string[] | undefined>>>

/** One value of an address, or undefined where there is none, an empty one or several. */
export function oneOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}
