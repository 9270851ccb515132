/** A rule broken on purpose, and the test that must notice. */
export type Mutation = {
  /** What holds while the line is as it is. */
  readonly rule: string
  readonly file: string
  /** Each text occurs in the file exactly once. */
  readonly change: readonly (readonly [text: string, replacement: string])[]
  /** A test file, and what the names of those of its tests begin with or contain that must fail. */
  readonly fails: readonly [file: string, test: string]
}

/** The file with the change made, or why it cannot be made: then the list is out of date. */
export function mutate(
  source: string,
  change: Mutation['change'],
): { readonly ok: true; readonly source: string } | { readonly ok: false; readonly why: string } {
  let mutated = source
  for (const [text, replacement] of change) {
    const parts = mutated.split(text)
    if (parts.length !== 2) {
      return { ok: false, why: `it occurs ${parts.length - 1} times: ${text}` }
    }
    mutated = parts.join(replacement)
  }
  return mutated === source
    ? { ok: false, why: 'it changes nothing' }
    : { ok: true, source: mutated }
}
