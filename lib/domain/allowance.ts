/** Free images of one UTC day, counted in images. */
export type AllowanceDay = {
  /** The UTC day, as YYYY-MM-DD. */
  readonly day: string
  readonly limit: number
  readonly delivered: number
  readonly held: number
}

export function remainingOf({ limit, delivered, held }: AllowanceDay): number {
  return Math.max(0, limit - delivered - held)
}

/** The instant at which the next UTC day begins. */
export function resetsAt({ day }: AllowanceDay): Date {
  const next = new Date(`${day}T00:00:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  return next
}
