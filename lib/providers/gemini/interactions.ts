import type { Failure } from '@/lib/domain/attempt'
import type { TaskId } from '@/lib/domain/ids'
import type { Cancelling, Observation, SubmitReport } from '@/lib/domain/observation'
import type { Output, SubmitRequest } from '@/lib/domain/provider'
import { IMAGE_ANSWER_BYTES_MAX } from '@/lib/providers/at-once'
import { upstreamOf } from '@/lib/providers/background-model'
import { bytesFromBase64 } from '@/lib/providers/base64'
import { usableCallbackUrl } from '@/lib/providers/callback-url'
import { cancelledThere, noImage, providerFailed, submitAndJudge } from '@/lib/providers/judge'
import { look, type Looked, type Unavailable } from '@/lib/providers/look'
import { judgeError } from './judge-error'
import { IMAGE_SIZE, ratioFor } from './models'
import type { GeminiOptions } from './options'
import { AcceptedBody, InteractionBody } from './schemas'

// https://ai.google.dev/gemini-api/docs/background-execution

const REVISION = { 'api-revision': '2026-05-20' }

export function submitToInteractions(
  options: GeminiOptions,
  request: SubmitRequest,
  signal: AbortSignal,
): Promise<SubmitReport> {
  const { base, headers, now } = options
  return submitAndJudge(
    {
      url: `${base}/v1beta/interactions`,
      headers: { ...headers, ...REVISION, 'x-client-request-id': request.reference },
      body: JSON.stringify(bodyOf(request, options)),
      signal,
    },
    now,
    (answer) => {
      if (answer.status < 200 || answer.status >= 300) return judgeError(answer)
      const accepted = AcceptedBody.safeParse(answer.json).data
      return accepted && { kind: 'accepted', taskId: accepted.id }
    },
  )
}

function bodyOf(request: SubmitRequest, { base, hasWebhook }: GeminiOptions) {
  const { reference, model, prompt, settings, referenceImages } = request
  const callbackUrl = hasWebhook ? usableCallbackUrl(request.callbackUrl, base) : undefined
  return {
    model: upstreamOf(model).model,
    input: [
      { type: 'text', text: prompt },
      ...referenceImages.map(({ contentType, bytes }) => ({
        type: 'image',
        mime_type: contentType,
        data: bytes.toString('base64'),
      })),
    ],
    background: true,
    store: true,
    response_format: { type: 'image', aspect_ratio: ratioFor(settings), image_size: IMAGE_SIZE },
    labels: { attempt: reference },
    // Where the metadata appears in a callback is not documented: our token is in the address too.
    ...(callbackUrl === undefined
      ? {}
      : { webhook_config: { uris: [callbackUrl], user_metadata: { attempt_id: reference } } }),
  }
}

type NotSeen = Unavailable | { readonly kind: 'missing'; readonly reason: string }

async function ask(
  { base, headers, now }: GeminiOptions,
  taskId: TaskId,
  signal: AbortSignal,
  action?: 'cancel',
): Promise<Looked> {
  const url = `${base}/v1beta/interactions/${encodeURIComponent(taskId)}`
  return look({
    url: action === undefined ? url : `${url}/${action}`,
    method: action === undefined ? 'GET' : 'POST',
    headers: { ...headers, ...REVISION },
    bytesMax: IMAGE_ANSWER_BYTES_MAX,
    signal,
    now: now(),
  })
}

function interactionIn(looked: Looked, taskId: TaskId): InteractionBody | NotSeen {
  if (looked.kind === 'unavailable') return looked
  if (looked.status === 404) return { kind: 'missing', reason: 'Google knows no such interaction.' }
  if (looked.status !== 200) return looked.unavailable()
  const interaction = InteractionBody.safeParse(looked.json).data
  return interaction?.id === taskId
    ? interaction
    : looked.unavailable('The interaction could not be read.')
}

export async function observeInteraction(
  options: GeminiOptions,
  taskId: TaskId,
  signal: AbortSignal,
): Promise<Observation> {
  const seen = interactionIn(await ask(options, taskId, signal), taskId)
  if ('kind' in seen) return seen
  const tokens = seen.usage?.total_tokens
  const ended = tokens === undefined ? {} : { cost: { amount: tokens, unit: 'tokens' } }
  const failed = (failure: Failure): Observation => ({ kind: 'failed', failure, ...ended })
  switch (seen.status) {
    case 'queued':
    case 'in_progress':
    case 'requires_action':
    case 'requires_continuation':
      return { kind: 'pending', progress: undefined }
    case 'completed': {
      const images = imagesIn(seen)
      if (images.length === 0) return failed(noImage)
      return images.some(({ data }) => data !== undefined)
        ? { kind: 'succeeded', result: { from: 'task' }, ...ended }
        : { kind: 'unavailable', reason: 'The image came as an address, which was not asked for.' }
    }
    case 'failed':
      return failed(providerFailed(seen.errors?.[0]?.message ?? seen.errors?.[0]?.code ?? ''))
    case 'cancelled':
      return failed(cancelledThere)
    case 'incomplete':
    case 'budget_exceeded':
      // That it stopped short is said; that it stopped for good is documented nowhere.
      return {
        kind: 'unavailable',
        reason: `It stopped short (${seen.status}), maybe not for good.`,
      }
    default:
      return { kind: 'unavailable', reason: `The status ${seen.status} is not a known one.` }
  }
}

/** The pictures of the answer: what was sent in is among the steps too. */
const imagesIn = ({ steps }: InteractionBody) =>
  (steps ?? [])
    .filter(({ type }) => type === 'model_output')
    .flatMap(({ content }) => content ?? [])
    .filter(({ type }) => type === 'image')

export async function fetchInteractionImage(
  options: GeminiOptions,
  taskId: TaskId,
  signal: AbortSignal,
): Promise<Output> {
  const seen = interactionIn(await ask(options, taskId, signal), taskId)
  if ('kind' in seen) return { ok: false, reason: seen.reason, gone: seen.kind === 'missing' }
  const data = imagesIn(seen)
    .flatMap((image) => image.data ?? [])
    .at(-1)
  const bytes = data === undefined ? undefined : bytesFromBase64(data)
  return bytes === undefined
    ? { ok: false, reason: 'The interaction carries no image.', gone: false }
    : { ok: true, bytes }
}

export async function cancelInteraction(
  options: GeminiOptions,
  taskId: TaskId,
  signal: AbortSignal,
): Promise<Cancelling> {
  const looked = await ask(options, taskId, signal, 'cancel')
  const seen = interactionIn(looked, taskId)
  if ('kind' in seen) return { kind: 'unavailable', reason: seen.reason }
  switch (seen.status) {
    case 'cancelled':
      return { kind: 'cancelled' }
    case 'completed':
    case 'failed':
      return { kind: 'too-late' }
    default:
      return { kind: 'asked' }
  }
}
