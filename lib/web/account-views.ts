// What the account's own page shows of it. Times are ISO 8601 in UTC.

export type SessionView = {
  readonly id: string
  /** Null when its browser did not say what it is. */
  readonly device: string | null
  readonly is_this: boolean
  readonly created_at: string
  /** To the minute. */
  readonly last_used_at: string
}
