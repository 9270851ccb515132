/** What operators are told of. */
export const alertKinds = [
  'unresolved-age',
  'held-credits',
  'audit-difference',
  'worker-silent',
  'spool-filling',
  'provider-refuses',
] as const
export type AlertKind = (typeof alertKinds)[number]

/** What an installation is measured by, at one moment. */
export type Figures = {
  /** Of the oldest unresolved attempt that nobody gave back; undefined when there is none. */
  readonly oldestUnresolvedMs: number | undefined
  readonly heldCredits: number
  readonly spooledImages: number
  readonly silentWorkers: readonly { readonly id: string; readonly ageMs: number }[]
  readonly refusals: readonly { readonly provider: string; readonly reason: string }[]
  /** What the newest audit found; undefined when there was none. */
  readonly violations: number | undefined
}

/** From where on it is told; undefined: never. */
export type Thresholds = {
  readonly unresolvedMs: number | undefined
  readonly heldCredits: number | undefined
}

export type Firing = {
  readonly kind: AlertKind
  readonly subject: string
  readonly words: string
}

/** That an alert was raised, or that it was cleared. */
export type AlertNews = {
  readonly event: 'raised' | 'cleared'
  readonly kind: AlertKind
  readonly subject: string
  readonly words: string
  readonly raisedAt: Date
  readonly clearedAt: Date | null
}

// Half of what the spool takes before providers' copies have to wait for us.
export const SPOOLED_IMAGES_MAX = 128

/** What is so now that somebody should know. */
export function judgeFigures(figures: Figures, thresholds: Thresholds): readonly Firing[] {
  const { oldestUnresolvedMs, heldCredits, spooledImages, violations } = figures
  const one = (kind: AlertKind, isSo: boolean, words: string) =>
    isSo ? [{ kind, subject: '', words }] : []
  return [
    ...one(
      'unresolved-age',
      isAbove(oldestUnresolvedMs, thresholds.unresolvedMs),
      `The oldest unresolved attempt is ${minutes(oldestUnresolvedMs ?? 0)} old.`,
    ),
    ...one(
      'held-credits',
      isAbove(heldCredits, thresholds.heldCredits),
      `${heldCredits.toLocaleString('en')} credits are on hold.`,
    ),
    ...one(
      'audit-difference',
      (violations ?? 0) > 0,
      `The newest audit of the ledger found ${violations ?? 0} differences.`,
    ),
    ...one(
      'spool-filling',
      spooledImages >= SPOOLED_IMAGES_MAX,
      `${spooledImages} images wait in the database for the image store.`,
    ),
    ...figures.silentWorkers.map(({ id, ageMs }) => ({
      kind: 'worker-silent' as const,
      subject: id.slice(0, 200),
      words: `A worker was last heard of ${minutes(ageMs)} ago and has not said that it ended.`,
    })),
    ...figures.refusals.map(({ provider, reason }) => ({
      kind: 'provider-refuses' as const,
      subject: provider,
      words: `${provider} refuses our key or our account: ${reason}`.slice(0, 1_000),
    })),
  ]
}

const isAbove = (value: number | undefined, limit: number | undefined) =>
  value !== undefined && limit !== undefined && value > limit

const minutes = (ms: number) => {
  const count = Math.max(1, Math.round(ms / 60_000))
  return count === 1 ? 'a minute' : `${count.toLocaleString('en')} minutes`
}
