import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { isAttemptsView } from './view-shapes'
import type { AttemptsView, AttemptView } from './views'

// Slow enough not to hurt a server in trouble, fast enough to look alive.
const POLL_AFTER_ERROR_MS = 5_000

// Nobody looks at a hidden tab, and coming back to it asks at once.
const HIDDEN_FACTOR = 5
const HIDDEN_POLL_MS_MIN = 15_000

// Far more than fit on a screen. What drops out here is still on the pages of /images.
const ATTEMPTS_KEPT_MAX = 300

// The length of an address is limited; 50 ids are 1,850 characters.
const IDS_PER_REQUEST_MAX = 50

/** Nobody is signed in any more. Asking again would not help until somebody is. */
export class SignedOutError extends Error {
  override readonly name = 'SignedOutError'
}

/** The server could not be reached or did not answer as agreed. Says nothing about any attempt. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  readonly retryAfterMs: number
  constructor(message: string, retryAfterMs: number) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

// `Retry-After` is either seconds or a date; both are a minimum.
function retryAfterMs(header: string | null): number {
  if (header === null) return 0
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000)
  const atMs = Date.parse(header)
  return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - Date.now())
}

/** What a poll brought, with the mark by which the server knows it again. */
type Polled = AttemptsView & { readonly mark?: string | undefined }

/** Undefined: it is still what the mark stands for. */
async function getAttempts(
  url: string,
  signal: AbortSignal,
  mark?: string,
): Promise<Polled | undefined> {
  const response = await fetch(url, {
    signal,
    cache: 'no-store',
    headers: mark === undefined ? {} : { 'if-none-match': mark },
  })
  if (response.status === 304) return undefined
  if (response.status === 401) throw new SignedOutError('signed out')
  if (!response.ok) {
    throw new NoAnswerError(
      `GET ${url}: ${response.status}`,
      retryAfterMs(response.headers.get('retry-after')),
    )
  }
  const body: unknown = await response.json()
  if (!isAttemptsView(body)) throw new NoAnswerError(`GET ${url}: not a list of attempts`, 0)
  return { ...body, mark: response.headers.get('etag') ?? undefined }
}

/** The ids whose last word was never heard: open when last seen, and gone from the newest list. */
export function missedIds(
  before: readonly AttemptView[],
  after: readonly AttemptView[],
): readonly string[] {
  const listed = new Set(after.map(({ id }) => id))
  return before
    .filter(({ id, poll_after_ms }) => poll_after_ms !== null && !listed.has(id))
    .map(({ id }) => id)
}

/** Everything seen so far, newest first, each as the newest answer has it. */
export function mergeAttempts(
  before: readonly AttemptView[],
  after: readonly AttemptView[],
): AttemptView[] {
  const byId = new Map(before.map((attempt) => [attempt.id, attempt]))
  for (const attempt of after) byId.set(attempt.id, attempt)
  return [...byId.values()]
    .sort((a, b) => b.created_at.localeCompare(a.created_at) || b.id.localeCompare(a.id))
    .slice(0, ATTEMPTS_KEPT_MAX)
}

/** One attempt's news among the rest, as a server action brings it. */
export function withAttempt(
  view: AttemptsView,
  { attempt, balance }: Pick<AttemptsView, 'balance'> & { readonly attempt: AttemptView },
): AttemptsView {
  return {
    attempts: mergeAttempts(view.attempts, [attempt]),
    balance,
    poll_after_ms: soonest(view.poll_after_ms, attempt.poll_after_ms),
  }
}

function soonest(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b
  return Math.min(a, b)
}

type PollSituation = {
  readonly data: AttemptsView | undefined
  readonly error: Error | null
  readonly isHidden: boolean
}

/** When to ask again. Only a final answer, or nobody being signed in, stops it. */
export function pollIntervalMs({ data, error, isHidden }: PollSituation): number | false {
  if (error instanceof SignedOutError) return false
  const afterError = error || !data ? POLL_AFTER_ERROR_MS : undefined
  const askedFor = error instanceof NoAnswerError ? error.retryAfterMs : 0
  const paceMs = afterError ?? data?.poll_after_ms ?? undefined
  if (paceMs === undefined) return false
  const visibleMs = Math.max(paceMs, askedFor)
  return isHidden ? Math.max(visibleMs * HIDDEN_FACTOR, HIDDEN_POLL_MS_MIN) : visibleMs
}

async function readAttempts(
  client: QueryClient,
  key: readonly [string, string],
  signal: AbortSignal,
): Promise<Polled> {
  const [, accountId] = key
  // The account goes with it: in a tab left open while somebody else signed in, the cookie is theirs.
  const path = `/api/attempts?account=${accountId}`
  const kept = () => client.getQueryData<Polled>(key)
  const listed = await getAttempts(path, signal, kept()?.mark)
  // Read after the answer: a generation that was started meanwhile must not be forgotten.
  const now = kept()
  if (listed === undefined) {
    if (now === undefined) throw new NoAnswerError(`GET ${path}: forgotten meanwhile`, 0)
    return now
  }
  const before = now?.attempts ?? []
  const missed = missedIds(before, listed.attempts).slice(0, IDS_PER_REQUEST_MAX)
  if (missed.length === 0) return { ...listed, attempts: mergeAttempts(before, listed.attempts) }

  const late = await getAttempts(`${path}&ids=${missed.join(',')}`, signal)
  if (late === undefined) throw new NoAnswerError(`GET ${path}: not what was asked`, 0)
  // What the server does not know by its id either is not waited for any longer.
  const known = before.filter(({ id }) => !missed.includes(id))
  return {
    attempts: mergeAttempts(known, [...listed.attempts, ...late.attempts]),
    // The later of the two answers, so that a page never shows money older than its pictures.
    balance: late.balance,
    poll_after_ms: soonest(listed.poll_after_ms, late.poll_after_ms),
    mark: listed.mark,
  }
}

/** All attempts that this tab has seen and the money, polled by one observer at the server's pace. */
export const attemptsQuery = (accountId: string) => {
  const queryKey = ['attempts', accountId] as const
  return queryOptions({
    queryKey,
    // The next poll is the retry.
    retry: false,
    // A browser without other networks says "offline" and still reaches a server on this machine.
    networkMode: 'always',
    queryFn: ({ client, signal }) => readAttempts(client, queryKey, signal),
    refetchInterval: ({ state }) =>
      pollIntervalMs({
        data: state.data,
        error: state.error,
        // Rendered on the server too, where nothing polls and there is no document.
        isHidden: typeof document !== 'undefined' && document.visibilityState === 'hidden',
      }),
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: 'always',
  })
}
