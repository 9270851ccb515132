import type { Failure } from '@/lib/domain/attempt'
import type { TaskId } from '@/lib/domain/ids'
import type { Cancelling, Observation } from '@/lib/domain/observation'
import type { Output, Provider } from '@/lib/domain/provider'
import { IMAGE_ANSWER_BYTES_MAX } from '@/lib/providers/at-once'
import { bytesFromBase64 } from '@/lib/providers/base64'
import { cancelledThere, moderated, noImage, providerFailed } from '@/lib/providers/judge'
import { look, type Looked, type Unavailable } from '@/lib/providers/look'
import { tokensOf } from './images'
import { isModerated } from './judge-error'
import type { OpenAiOptions } from './options'
import { ResponseBody } from './schemas'

// https://developers.openai.com/api/docs/guides/background

type Seen = { readonly response: ResponseBody; readonly json: unknown }
type NotSeen = Unavailable | { readonly kind: 'missing'; readonly reason: string }

async function get(
  { base, headers, now }: OpenAiOptions,
  taskId: TaskId,
  signal: AbortSignal,
): Promise<Seen | NotSeen> {
  const looked = await look({
    url: `${base}/responses/${encodeURIComponent(taskId)}`,
    headers,
    bytesMax: IMAGE_ANSWER_BYTES_MAX,
    signal,
    now: now(),
  })
  return looked.kind === 'unavailable' ? looked : seenIn(looked, taskId)
}

function seenIn(looked: Exclude<Looked, Unavailable>, taskId: TaskId): Seen | NotSeen {
  if (looked.status === 404) return { kind: 'missing', reason: 'OpenAI knows no such response.' }
  if (looked.status !== 200) return looked.unavailable()
  const response = ResponseBody.safeParse(looked.json).data
  return response?.id === taskId
    ? { response, json: looked.json }
    : looked.unavailable('The response could not be read.')
}

export async function observeResponse(
  options: OpenAiOptions,
  taskId: TaskId,
  signal: AbortSignal,
): Promise<Observation> {
  const seen = await get(options, taskId, signal)
  if ('kind' in seen) return seen
  const cost = tokensOf(seen.json)
  const ended = cost === undefined ? {} : { cost }
  const failed = (failure: Failure): Observation => ({ kind: 'failed', failure, ...ended })
  const { response } = seen
  switch (response.status) {
    case 'queued':
    case 'in_progress':
      return { kind: 'pending', progress: undefined }
    case 'completed':
      return imageIn(response) === undefined
        ? failed(wasRefused(response) ? moderated : noImage)
        : { kind: 'succeeded', result: { from: 'task' }, ...ended }
    case 'failed':
      return failed(failureOf(response))
    case 'cancelled':
      return failed(cancelledThere)
    case 'incomplete': {
      const reason = response.incomplete_details?.reason ?? 'incomplete'
      return failed(reason === 'content_filter' ? moderated : providerFailed(reason))
    }
    default:
      return { kind: 'unavailable', reason: `The status ${response.status} is not a known one.` }
  }
}

const imageIn = ({ output }: ResponseBody): string | undefined =>
  output.find(({ type, result }) => type === 'image_generation_call' && Boolean(result))?.result ??
  undefined

const wasRefused = ({ output }: ResponseBody): boolean =>
  output.some(({ content }) => content?.some(({ type }) => type === 'refusal'))

function failureOf({ error }: ResponseBody): Failure {
  if (!error) return providerFailed('')
  return isModerated(error.code) ? moderated : providerFailed(error.message)
}

export async function fetchResponseImage(
  options: OpenAiOptions,
  taskId: TaskId,
  signal: AbortSignal,
): Promise<Output> {
  const seen = await get(options, taskId, signal)
  if ('kind' in seen) return { ok: false, reason: seen.reason, gone: seen.kind === 'missing' }
  const image = imageIn(seen.response)
  const bytes = image === undefined ? undefined : bytesFromBase64(image)
  return bytes === undefined
    ? { ok: false, reason: 'The response carries no image.', gone: false }
    : { ok: true, bytes }
}

/** https://developers.openai.com/api/docs/guides/background#cancelling-a-background-response */
export async function cancelResponse(
  { base, headers, now }: OpenAiOptions,
  taskId: TaskId,
  signal: AbortSignal,
): Promise<Cancelling> {
  const looked = await look({
    url: `${base}/responses/${encodeURIComponent(taskId)}/cancel`,
    method: 'POST',
    headers,
    bytesMax: IMAGE_ANSWER_BYTES_MAX,
    signal,
    now: now(),
  })
  if (looked.kind === 'unavailable') return looked
  const seen = seenIn(looked, taskId)
  if ('kind' in seen) return looked.unavailable(seen.reason)
  switch (seen.response.status) {
    case 'cancelled':
      return { kind: 'cancelled' }
    case 'queued':
    case 'in_progress':
      return { kind: 'asked' }
    case 'completed':
    case 'failed':
    case 'incomplete':
      return { kind: 'too-late' }
    default:
      return looked.unavailable('The status is not a known one.')
  }
}

/** Our reference in a response that a webhook named. Without one it is not of ours. */
export async function referenceOfResponse(
  options: OpenAiOptions,
  taskId: TaskId,
  signal: AbortSignal,
): ReturnType<NonNullable<Provider['referenceOf']>> {
  const seen = await get(options, taskId, signal)
  if ('kind' in seen) {
    return seen.kind === 'missing' ? { kind: 'absent', reason: seen.reason } : seen
  }
  const reference = seen.response.metadata?.['attempt_id']
  return reference === undefined
    ? { kind: 'absent', reason: 'The response carries no reference of ours.' }
    : { kind: 'found', taskId, reference }
}
