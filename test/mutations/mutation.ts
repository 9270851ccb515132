/** A rule broken on purpose, and the test that must notice. */
export type Mutation = {
  /** What holds while the line is as it is. */
  readonly rule: string
  readonly file: string
  /** Each text occurs exactly once, in the file above unless another is named. */
  readonly change: readonly Change[]
  /** A test file, and what the names of those of its tests begin with or contain that must fail. */
  readonly fails: readonly [file: string, test: string]
}

export type Change = readonly [text: string, replacement: string, file?: string]

/** The changes of each file that it changes. */
export function changesByFile({
  file,
  change,
}: Pick<Mutation, 'file' | 'change'>): ReadonlyMap<string, readonly Change[]> {
  const files = new Set(change.map(([, , other = file]) => other))
  return new Map(
    [...files].map((one) => [one, change.filter(([, , other = file]) => other === one)]),
  )
}

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
