/**
 * Somebody else's text as PostgreSQL can keep it: without NUL and without half characters, which
 * may also be what is left where a text was cut. News must not be lost for how it is written.
 */
export function keepableText(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\ufffd')
}

/** JSON with every text in it, names too, made keepable. */
export function keepableJson(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) => {
    if (typeof part === 'string') return keepableText(part)
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).map(([name, of]) => [keepableText(name), of]))
  })
}
