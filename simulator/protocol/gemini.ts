import { randomBytes, randomInt } from 'node:crypto'
import { z } from 'zod'
import { json, parseJson, type Reply, type RouteRequest } from '@/simulator/http'
import type { Task } from '@/simulator/task-store'
import {
  cancelInteraction,
  createInteraction,
  createInteractionEvents,
  showInteraction,
} from './gemini-interactions'
import { GeminiPixels, googleError, hasKey, unregistered } from './gemini-wire'
import { ended, receive, referenceIn, type Protocol, type ProtocolDeps } from './protocol'
import { resultBytes } from './results'

const NAME = 'gemini'

const Part = z.union([
  z.strictObject({ text: z.string().min(1) }),
  z.strictObject({
    inlineData: z.strictObject({
      mimeType: z.enum(['image/png', 'image/jpeg', 'image/webp']),
      data: z.base64().min(1),
    }),
  }),
])
const Body = z.strictObject({
  contents: z
    .array(
      z.strictObject({ role: z.enum(['user', 'model']).optional(), parts: z.array(Part).min(1) }),
    )
    .min(1),
  generationConfig: z
    .strictObject({
      responseModalities: z.array(z.enum(['TEXT', 'IMAGE'])).optional(),
      imageConfig: z
        .strictObject({
          aspectRatio: z.enum(Object.keys(GeminiPixels)).optional(),
          imageSize: z.enum(['1K']).optional(),
        })
        .optional(),
    })
    .optional(),
})
type Body = z.infer<typeof Body>

const promptOf = ({ contents }: Pick<Body, 'contents'>): string =>
  contents
    .flatMap(({ parts }) => parts)
    .flatMap((part) => ('text' in part ? [part.text] : []))
    .join('\n')

/** Google's generateContent, and its interactions in the background, over the one task store. */
export function createGeminiProtocol(deps: ProtocolDeps): Protocol {
  const events = createInteractionEvents()
  const one = (suffix: string) =>
    new RegExp(`^/gemini/v1beta/interactions/(v1_[a-f0-9]{1,64})${suffix}$`)
  const signedIn =
    (handle: (request: RouteRequest) => Reply | Promise<Reply>) => (request: RouteRequest) =>
      hasKey(request) ? handle(request) : unregistered()
  return {
    name: NAME,
    routes: [
      {
        method: 'POST',
        path: /^\/gemini\/v1beta\/models\/([a-z0-9.-]+):generateContent$/,
        handle: (request) => generate(deps, request),
      },
      {
        method: 'POST',
        path: /^\/gemini\/v1beta\/interactions$/,
        handle: (request) => createInteraction(deps, NAME, request),
      },
      {
        method: 'GET',
        path: one(''),
        handle: signedIn(({ id }) => showInteraction(deps, NAME, id)),
      },
      {
        method: 'POST',
        path: one('/cancel'),
        handle: signedIn(({ id }) => cancelInteraction(deps, NAME, id)),
      },
      {
        method: 'GET',
        path: /^\/gemini\/\.well-known\/jwks\.json$/,
        handle: () => json(200, events.keySet()),
      },
    ],
    callbackOf: events.callbackOf,
  }
}

async function generate(deps: ProtocolDeps, request: RouteRequest): Promise<Reply> {
  const body = parseJson(request.body)
  const parsed = Body.safeParse(body)
  const loose = Body.pick({ contents: true }).loose().safeParse(body).data
  const received = receive(deps, NAME, request, {
    reference: referenceIn(request),
    prompt: loose && promptOf(loose),
  })
  const refuse = (outcome: string, reply: Reply) => {
    received.refuse(outcome)
    return reply
  }
  if (!hasKey(request)) return refuse('unauthorized', unregistered())
  if (!/image|banana/.test(request.id)) {
    const message = `models/${request.id} is not found for API version v1beta.`
    return refuse('not_found', googleError(404, 'NOT_FOUND', message))
  }
  if (request.isTooLarge || !parsed.success) {
    const [issue] = parsed.error?.issues ?? []
    const message = `Invalid JSON payload received. ${issue?.message ?? 'Too large.'}`
    return refuse('invalid_input', googleError(400, 'INVALID_ARGUMENT', message))
  }
  const { refusal } = received.plan
  if (refusal) return refuse(refusal.code, refusalReply(refusal))
  const prompt = promptOf(parsed.data)
  const ratio = parsed.data.generationConfig?.imageConfig?.aspectRatio ?? '1:1'
  const [width, height] = GeminiPixels[ratio] ?? [1024, 1024]
  const task = received.accept({
    id: `gem_${randomBytes(16).toString('hex')}`,
    picture: { prompt, width, height, seed: randomInt(2 ** 32) },
  })
  return received.answer(() => answerOf(deps, task.id, request.id))
}

type Refusal = NonNullable<Task['plan']['refusal']>

function refusalReply({ code, status, message, retryAfterSeconds }: Refusal): Reply {
  switch (code) {
    case 'invalid_input':
      return googleError(400, 'INVALID_ARGUMENT', message)
    case 'content_policy':
      return json(200, {
        promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
        usageMetadata: { promptTokenCount: 6, totalTokenCount: 6 },
        modelVersion: 'simulated',
        responseId: randomBytes(12).toString('base64url'),
      })
    case 'rate_limited':
      // The pause is in the details, and not in a header.
      return googleError(429, 'RESOURCE_EXHAUSTED', message, [
        {
          '@type': 'type.googleapis.com/google.rpc.RetryInfo',
          retryDelay: `${retryAfterSeconds ?? 1}s`,
        },
      ])
    case 'bad_key':
      return googleError(400, 'INVALID_ARGUMENT', 'API key not valid. Pass a valid API key.', [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'API_KEY_INVALID',
          domain: 'googleapis.com',
        },
      ])
    case 'no_credit':
      return googleError(429, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.')
    case 'unavailable':
      return googleError(503, 'UNAVAILABLE', message)
    default:
      return googleError(status, 'INTERNAL', message)
  }
}

async function answerOf(deps: ProtocolDeps, id: string, model: string): Promise<Reply> {
  const task = await ended(deps, id)
  if (task.error_code !== null && task.error_code !== 'content_policy') {
    return googleError(500, 'INTERNAL', task.error_message ?? 'An internal error has occurred.')
  }
  const candidate =
    task.error_code === null
      ? {
          content: {
            role: 'model',
            parts: [
              {
                inlineData: {
                  mimeType: 'image/png',
                  data: Buffer.from(await resultBytes(deps, task)).toString('base64'),
                },
              },
            ],
          },
          finishReason: 'STOP',
          index: 0,
        }
      : { finishReason: 'IMAGE_SAFETY', finishMessage: task.error_message, index: 0 }
  return json(200, {
    candidates: [candidate],
    usageMetadata: { promptTokenCount: 6, candidatesTokenCount: 1_120, totalTokenCount: 1_126 },
    modelVersion: model,
    responseId: randomBytes(12).toString('base64url'),
  })
}
