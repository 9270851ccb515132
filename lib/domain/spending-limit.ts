/** The highest limit that somebody may set for their own day, in credits. */
export const LIMIT_MAX = 1_000_000
