import { randomBytes, randomInt } from 'node:crypto'
import { z } from 'zod'
import { standardWebhookHeaders, type OutgoingCallback } from '@/simulator/callback'
import { json, parseJson, type Reply, type RouteRequest } from '@/simulator/http'
import type { Task } from '@/simulator/task-store'
import {
  apiError,
  base64Of,
  hasKey,
  refusalReply,
  requestId,
  sidesOf,
  TOKENS,
  withoutKey,
} from './images-api'
import { ImageModel, invalid, OutputFormat, Quality, Size } from './openai-fields'
import { isStatusDown, receive, taskOf, type ProtocolDeps } from './protocol'

// https://developers.openai.com/api/reference/resources/responses, as far as it makes one image in
// the background.

const InputContent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('input_text'), text: z.string().min(1) }),
  z.strictObject({
    type: z.literal('input_image'),
    image_url: z.string().regex(/^data:image\/(png|jpeg|webp);base64,/),
    detail: z.enum(['auto', 'low', 'high']).optional(),
  }),
])
const Input = z.union([
  z.string().min(1),
  z
    .array(z.strictObject({ role: z.literal('user'), content: z.array(InputContent).min(1) }))
    .min(1),
])
const CreateBody = z.strictObject({
  model: z.string().min(1),
  instructions: z.string().optional(),
  input: Input,
  // Only in the background: that is what is simulated.
  background: z.literal(true),
  store: z.literal(true).optional(),
  metadata: z
    .record(z.string().max(64), z.string().max(512))
    .refine((metadata) => Object.keys(metadata).length <= 16)
    .optional(),
  tools: z.tuple([
    z.strictObject({
      type: z.literal('image_generation'),
      model: ImageModel.optional(),
      size: Size.optional(),
      quality: Quality.optional(),
      output_format: OutputFormat.optional(),
    }),
  ]),
  tool_choice: z.enum(['auto', 'required']).optional(),
  max_tool_calls: z.int().min(1).optional(),
  parallel_tool_calls: z.boolean().optional(),
})
const Extra = z.object({
  model: z.string(),
  metadata: z.record(z.string(), z.string()),
  tool: z.record(z.string(), z.unknown()),
})

const promptOf = (input: z.infer<typeof Input>): string =>
  typeof input === 'string'
    ? input
    : input
        .flatMap(({ content }) => content)
        .flatMap((part) => (part.type === 'input_text' ? [part.text] : []))
        .join('\n')

export async function createResponse(
  deps: ProtocolDeps,
  protocol: string,
  request: RouteRequest,
): Promise<Reply> {
  const body = parseJson(request.body)
  const parsed = CreateBody.safeParse(body)
  const loose = z.object({ input: Input }).safeParse(body).data
  const received = receive(deps, protocol, request, {
    reference: parsed.data?.metadata?.['attempt_id'],
    prompt: loose && promptOf(loose.input),
  })
  const refuse = (outcome: string, reply: Reply) => {
    received.refuse(outcome)
    return reply
  }
  if (!hasKey(request)) return refuse('unauthorized', withoutKey())
  if (request.isTooLarge || !parsed.success) return refuse('invalid_input', invalid(parsed.error))
  const { refusal } = received.plan
  if (refusal) return refuse(refusal.code, refusalReply(refusal))
  const { input, model, metadata, tools } = parsed.data
  const [tool] = tools
  const task = received.accept({
    id: `resp_${randomBytes(24).toString('hex')}`,
    picture: {
      prompt: promptOf(input),
      ...sidesOf(tool.size ?? '1024x1024'),
      seed: randomInt(2 ** 32),
      extra: { model, metadata: metadata ?? {}, tool },
    },
  })
  return received.answer(json(200, await view(deps, task), requestId()))
}

export async function showResponse(
  deps: ProtocolDeps,
  protocol: string,
  id: string,
): Promise<Reply> {
  const task = taskOf(deps, protocol, id)
  const ageMs = deps.clock.now() - (task?.finished_at ?? Infinity)
  if (!task || ageMs >= (task.plan.resultExpiresMs ?? Infinity)) return notFound(id)
  if (isStatusDown(deps, task) || (ageMs >= 0 && ageMs < (task.plan.resultOutageMs ?? 0))) {
    return apiError(503, { message: 'Down (drill).', type: 'server_error' })
  }
  return json(200, await view(deps, task), requestId())
}

/** What is queued stops; what is under way or has ended is shown as it is. */
export function cancelResponse(
  deps: ProtocolDeps,
  protocol: string,
  id: string,
): Reply | Promise<Reply> {
  if (!taskOf(deps, protocol, id)) return notFound(id)
  deps.store.cancel(id)
  return showResponse(deps, protocol, id)
}

const notFound = (id: string) =>
  apiError(404, {
    message: `Response with id '${id}' not found.`,
    type: 'invalid_request_error',
    param: 'id',
  })

const STATUS = {
  queued: 'queued',
  rendering: 'in_progress',
  succeeded: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
} as const

async function view(deps: ProtocolDeps, task: Task) {
  const { model, metadata, tool } = Extra.parse(task.request.extra)
  const isDone = task.status === 'succeeded'
  const seconds = (ms: number) => Math.floor(ms / 1_000)
  return {
    id: task.id,
    object: 'response',
    created_at: seconds(task.accepted_at),
    status: STATUS[task.status],
    background: true,
    completed_at: isDone ? seconds(task.finished_at ?? 0) : null,
    error: task.status === 'failed' ? errorOf(task) : null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    model,
    output: isDone
      ? [
          {
            id: `ig_${task.id.slice('resp_'.length)}`,
            type: 'image_generation_call',
            status: 'completed',
            result: await base64Of(deps, task),
          },
        ]
      : [],
    parallel_tool_calls: false,
    previous_response_id: null,
    store: true,
    metadata,
    tool_choice: 'required',
    tools: [tool],
    usage: isDone
      ? {
          input_tokens: TOKENS.input_tokens,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens: TOKENS.output_tokens,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: TOKENS.total_tokens,
        }
      : null,
  }
}

const errorOf = ({ error_code, error_message }: Task) => ({
  code: error_code === 'content_policy' ? 'image_content_policy_violation' : 'server_error',
  message: error_message ?? '',
})

/**
 * One address for the whole project, and a thin event
 * (https://developers.openai.com/api/docs/guides/webhooks).
 */
export function responseEvent(
  deps: ProtocolDeps,
  task: Task,
  nowMs: number,
): OutgoingCallback | undefined {
  const { webhookSecret, projectWebhookUrl: url } = deps
  if (webhookSecret === undefined || url === undefined || !task.id.startsWith('resp_')) {
    return undefined
  }
  const body = JSON.stringify({
    id: `evt_${task.id}`,
    object: 'event',
    type: task.error_code === null ? 'response.completed' : 'response.failed',
    created_at: Math.floor((task.finished_at ?? nowMs) / 1_000),
    data: { id: task.id },
  })
  const key = Buffer.from(webhookSecret, 'utf8')
  const signed = { id: `wh_${task.id}`, body }
  return { url, headers: standardWebhookHeaders(key, signed, Math.floor(nowMs / 1_000)), body }
}
