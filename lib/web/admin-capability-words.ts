import type { CapabilitiesView } from './admin-views'

const UNITS = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
] as const

/** "1 day", "90 minutes". */
export function spanWords(ms: number): string {
  const [unitMs, unit] = UNITS.find(([each]) => ms % each === 0 && ms >= each) ?? [1, 'millisecond']
  const count = ms / unitMs
  return `${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`
}

const CALLBACKS = { attempt: 'to an address of this attempt', project: 'to one address for all' }
const CANCELS = { confirmed: 'says whether it stopped', asked: 'takes the wish' }

/** What the provider documents, as an admin reads it beside an attempt. */
export function capabilityFacts(
  capabilities: CapabilitiesView | null,
): readonly (readonly [name: string, words: string])[] {
  if (!capabilities) return [['Capabilities', 'no worker has said yet']]
  const { answers, lookup, idempotentForMs, callback, cancel, resultForMs } = capabilities
  return [
    ['Answers', answers === 'at-once' ? 'at once, with the image' : 'later, with a task id'],
    [
      'Search',
      lookup
        ? `by ${lookup.by}${lookup.forMs === null ? '' : `, for ${spanWords(lookup.forMs)}`}`
        : 'none',
    ],
    [
      'Same POST again',
      idempotentForMs === undefined
        ? 'would make a second task'
        : `makes no second task for ${spanWords(idempotentForMs)}`,
    ],
    ['Callbacks', callback ? CALLBACKS[callback] : 'none'],
    ['Cancelling', cancel ? CANCELS[cancel] : 'not possible'],
    [
      'Result kept',
      resultForMs === undefined ? 'not established' : `for ${spanWords(resultForMs)}`,
    ],
  ]
}
