import type { Lookup } from '@/lib/domain/observation'
import { look } from '@/lib/providers/look'
import { PredictionList } from './schemas'

// A clock of theirs may differ from ours, and a submission may be under way for a while.
const BEFORE_MS = 60_000
const AFTER_MS = 10 * 60_000
// Of 100 predictions each. Whoever makes more than this in a few minutes is not served by a list.
const PAGES_MAX = 10
const PAGE_BYTES_MAX = 8 * 1024 * 1024

/**
 * Looks through the account's predictions of those minutes for the one that was to call our address
 * back. The address holds a secret of this attempt, so nothing but an exact match binds, and an exact
 * match is proof. Whether lists tell the address is not documented: then nothing is ever found.
 */
export async function findByWebhook(options: {
  readonly base: string
  readonly headers: Readonly<Record<string, string>>
  readonly webhook: string
  readonly submittedAt: Date
  readonly signal: AbortSignal
  readonly now: () => Date
}): Promise<Lookup> {
  const { base, headers, signal } = options
  const at = (ms: number) => new Date(options.submittedAt.getTime() + ms).toISOString()
  const window = new URLSearchParams({
    created_after: at(-BEFORE_MS),
    created_before: at(AFTER_MS),
  })
  let url = `${base}/v1/predictions?${window.toString()}`
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const now = options.now()
    const looked = await look({ url, headers, signal, now, bytesMax: PAGE_BYTES_MAX })
    if (looked.kind === 'unavailable') return looked
    const list = PredictionList.safeParse(looked.json)
    if (looked.status !== 200 || !list.success) return looked.unavailable()
    const found = list.data.results.find(({ webhook }) => webhook === options.webhook)
    if (found) return { kind: 'found', taskId: found.id }
    const { next } = list.data
    if (!next) return { kind: 'absent', reason: 'No prediction calls our address back.' }
    // Our key goes along, so it goes nowhere else.
    if (!URL.canParse(next) || new URL(next).origin !== new URL(base).origin) {
      return looked.unavailable('The list goes on at another address.')
    }
    url = next
  }
  return { kind: 'unavailable', reason: 'There are too many predictions to look through.' }
}
