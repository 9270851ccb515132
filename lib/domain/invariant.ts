/** A programmer error: the unit of work stops, its transaction rolls back, and someone is paged. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}

export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message)
}

/** Makes a missing `case` a compile error, and an impossible value a crash. */
export function assertNever(value: never): never {
  throw new InvariantError(`unexpected value: ${JSON.stringify(value)}`)
}
