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

/** A key as it may be shown ever after. */
export type KeyView = {
  readonly id: string
  readonly name: string
  readonly created_at: string
  /** To the minute. */
  readonly last_used_at: string | null
  readonly revoked_at: string | null
}

export type ProfileView = {
  readonly email: string
  readonly name: string
  readonly has_password: boolean
  readonly is_verified: boolean
  readonly is_told_by_email: boolean
}

/** A way to sign in besides a password. */
export type WayView = {
  readonly id: 'github' | 'google' | 'oidc'
  readonly name: string
  readonly is_connected: boolean
}

/** Why something of an account was not done. */
export type AccountRefusal =
  | { readonly code: 'signed-out' }
  | { readonly code: 'throttled'; readonly seconds: number }
  | { readonly code: 'wrong-password' }
  | { readonly code: 'password-length' }
  | { readonly code: 'invalid-name' }
  | { readonly code: 'too-many-keys' }
  | { readonly code: 'not-confirmed' }
  | { readonly code: 'has-role' }
  | { readonly code: 'last-way-in' }
