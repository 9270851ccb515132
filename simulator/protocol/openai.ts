import { z } from 'zod'
import { parseJson, type Reply, type RouteRequest } from '@/simulator/http'
import { formDataOf, textsOf } from './form-data'
import { base64Of, drawAndAnswer, hasKey, refusalReply, withoutKey } from './images-api'
import { ImageModel, invalid, OutputFormat, Quality, Size } from './openai-fields'
import { cancelResponse, createResponse, responseEvent, showResponse } from './openai-responses'
import { receive, referenceIn, type Protocol, type ProtocolDeps } from './protocol'

const NAME = 'openai'
const IMAGES_MAX = 16

const ImageFields = {
  model: ImageModel,
  prompt: z.string().min(1).max(32_000),
  size: Size,
  quality: Quality.optional(),
  output_format: OutputFormat.optional(),
  user: z.string().optional(),
}
const GenerateBody = z.strictObject({ ...ImageFields, n: z.literal(1).optional() })
const EditTexts = z.strictObject({ ...ImageFields, n: z.literal('1').optional() })
const Prompted = z.object({ prompt: z.string() })

/** OpenAI's Images API and its Responses API in the background, over the one task store. */
export function createOpenAiProtocol(deps: ProtocolDeps): Protocol {
  const at = (path: string) => new RegExp(`^/openai(?:/v1)?${path}$`)
  const one = (suffix: string) => at(`/responses/(resp_[a-f0-9]{1,64})${suffix}`)
  const signedIn =
    (handle: (request: RouteRequest) => Reply | Promise<Reply>) => (request: RouteRequest) =>
      hasKey(request) ? handle(request) : withoutKey()
  return {
    name: NAME,
    routes: [
      { method: 'POST', path: at('/images/generations'), handle: (r) => generate(deps, r) },
      { method: 'POST', path: at('/images/edits'), handle: (r) => edit(deps, r) },
      { method: 'POST', path: at('/responses'), handle: (r) => createResponse(deps, NAME, r) },
      {
        method: 'GET',
        path: one(''),
        handle: signedIn(({ id }) => showResponse(deps, NAME, id)),
      },
      {
        method: 'POST',
        path: one('/cancel'),
        handle: signedIn(({ id }) => cancelResponse(deps, NAME, id)),
      },
    ],
    callbackOf: (task, nowMs) => responseEvent(deps, task, nowMs),
  }
}

function generate(deps: ProtocolDeps, request: RouteRequest): Promise<Reply> {
  const body = parseJson(request.body)
  return draw(deps, request, Prompted.safeParse(body).data?.prompt, GenerateBody.safeParse(body))
}

async function edit(deps: ProtocolDeps, request: RouteRequest): Promise<Reply> {
  const form = await formDataOf(request)
  const texts = form === undefined ? {} : textsOf(form)
  const images = form === undefined ? [] : [...form.getAll('image[]'), ...form.getAll('image')]
  const isRight =
    images.length > 0 && images.length <= IMAGES_MAX && images.every((one) => one instanceof Blob)
  return draw(deps, request, texts['prompt'], EditTexts.safeParse(isRight ? texts : undefined))
}

async function draw(
  deps: ProtocolDeps,
  request: RouteRequest,
  prompt: string | undefined,
  parsed: z.ZodSafeParseResult<{ readonly prompt: string; readonly size: string }>,
): Promise<Reply> {
  const received = receive(deps, NAME, request, { reference: referenceIn(request), prompt })
  const refuse = (outcome: string, reply: Reply) => {
    received.refuse(outcome)
    return reply
  }
  if (!hasKey(request)) return refuse('unauthorized', withoutKey())
  if (request.isTooLarge || !parsed.success) return refuse('invalid_input', invalid(parsed.error))
  const { refusal } = received.plan
  if (refusal) return refuse(refusal.code, refusalReply(refusal))
  return drawAndAnswer(deps, received, parsed.data, async (task) => ({
    b64_json: await base64Of(deps, task),
  }))
}
