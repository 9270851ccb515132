import { createHash } from 'node:crypto'
import { Agent, buildConnector, request } from 'undici'
import type { Usage } from '@/lib/domain/observation'
import { describeError } from './describe-error'
import { readBounded } from './read-bounded'

// An answer that only names a task is small; one that carries images says so.
const ANSWER_BYTES_MAX = 256 * 1024
// Headers in which providers name a request for their support, the most telling first.
const REQUEST_ID_HEADERS = ['x-request-id', 'x-fal-request-id', 'x-comfy-request-id', 'request-id']

export type Answered = {
  readonly kind: 'answered'
  readonly status: number
  readonly header: (name: string) => string | undefined
  readonly bytes: Buffer
  readonly text: string
}

export type SubmitAnswer =
  | Answered
  /** Proof: the connection was never made, so not a byte was sent. */
  | { readonly kind: 'not-sent'; readonly reason: string }
  /** The request may have arrived. */
  | { readonly kind: 'no-answer'; readonly reason: string }

export type Submission = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
  /** Default: application/json. */
  readonly contentType?: string
  readonly signal: AbortSignal
  readonly answerBytesMax?: number
}

/**
 * Exactly one POST, on a connection of its own: a reused one may die as we write, and then nobody
 * can tell whether the request arrived. Nothing below this line tries again, follows a redirect or
 * hides an error. Whether the connection was ever made is observed, not guessed from error codes.
 */
export async function submitOnce(
  submission: Submission,
): Promise<{ readonly answer: SubmitAnswer; readonly usage: Usage }> {
  const answer = await post(submission)
  const answered = answer.kind === 'answered' ? answer : undefined
  const { origin, pathname } = new URL(submission.url)
  return {
    answer,
    usage: {
      address: `${origin}${pathname}`,
      requestSha256: createHash('sha256').update(submission.body).digest('hex'),
      requestBytes: Buffer.byteLength(submission.body),
      httpStatus: answered?.status,
      providerRequestId: REQUEST_ID_HEADERS.map((name) => answered?.header(name)).find(
        (id) => id !== undefined,
      ),
      cost: undefined,
    },
  }
}

async function post(submission: Submission): Promise<SubmitAnswer> {
  const connect = buildConnector({})
  const connection = { made: false }
  const agent = new Agent({
    // The deadline is the caller's signal alone: some providers think for minutes before they answer.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (target, done) => {
      connect(target, (...outcome) => {
        connection.made = outcome[0] === null
        done(...outcome)
      })
    },
  })
  try {
    const response = await request(submission.url, {
      method: 'POST',
      dispatcher: agent,
      headers: {
        'content-type': submission.contentType ?? 'application/json',
        ...submission.headers,
      },
      body: submission.body,
      signal: submission.signal,
    })
    const bytes = await readBounded(response.body, submission.answerBytesMax ?? ANSWER_BYTES_MAX)
    if (bytes === undefined) return { kind: 'no-answer', reason: 'The answer was too long.' }
    return {
      kind: 'answered',
      status: response.statusCode,
      header: (name) => {
        const value = response.headers[name.toLowerCase()]
        return Array.isArray(value) ? value[0] : value
      },
      bytes,
      text: bytes.toString('utf8'),
    }
  } catch (error) {
    // Everything that can go wrong on a wire arrives here; the only question is what it proves.
    const reason = describeError(error)
    return connection.made ? { kind: 'no-answer', reason } : { kind: 'not-sent', reason }
  } finally {
    await agent.destroy()
  }
}
