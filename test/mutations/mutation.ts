/** A rule broken on purpose, and the test that must notice. */
export type Mutation = {
  /** What holds while nothing is broken. */
  readonly rule: string
  /** A test file, and what the names of those of its tests begin with or contain that must fail. */
  readonly fails: readonly [file: string, test: string]
} & (
  | {
      readonly file: string
      /** Each text occurs in the file exactly once. */
      readonly change: readonly Change[]
    }
  /** Applied after every migration. */
  | { readonly sql: string }
)

export type Change = readonly [text: string, replacement: string]

/** The file with the changes made, or why they cannot be made: then the list is out of date. */
export function mutate(
  source: string,
  change: readonly Change[],
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
