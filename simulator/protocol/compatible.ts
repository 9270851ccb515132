import { z } from 'zod'
import { parseJson, type Reply, type RouteRequest } from '@/simulator/http'
import { apiError, base64Of, drawAndAnswer, refusalReply } from './images-api'
import { receive, referenceIn, type Protocol, type ProtocolDeps } from './protocol'
import { resultUrl } from './results'

const NAME = 'compatible'

// What such servers have in common. They ignore what they do not know, and most need no key.
const Body = z.object({
  model: z.string().min(1),
  prompt: z.string().min(1),
  n: z.literal(1).optional(),
  size: z.string().regex(/^[1-9]\d{2,3}x[1-9]\d{2,3}$/),
  response_format: z.enum(['url', 'b64_json']).optional(),
})
const Prompted = z.object({ prompt: z.string() })

/** A server of one's own that speaks OpenAI's Images API, and answers with addresses by default. */
export function createCompatibleProtocol(deps: ProtocolDeps): Protocol {
  return {
    name: NAME,
    routes: [
      {
        method: 'POST',
        path: /^\/compatible(?:\/v1)?\/images\/generations$/,
        handle: (request) => generate(deps, request),
      },
    ],
  }
}

async function generate(deps: ProtocolDeps, request: RouteRequest): Promise<Reply> {
  const json = parseJson(request.body)
  const parsed = Body.safeParse(json)
  const received = receive(deps, NAME, request, {
    reference: referenceIn(request),
    prompt: Prompted.safeParse(json).data?.prompt,
  })
  const refuse = (outcome: string, reply: Reply) => {
    received.refuse(outcome)
    return reply
  }
  if (request.isTooLarge || !parsed.success) {
    const message = parsed.error?.issues[0]?.message ?? 'The body is too large.'
    return refuse('invalid_input', apiError(400, { message, type: 'invalid_request_error' }))
  }
  const { refusal } = received.plan
  if (refusal) return refuse(refusal.code, refusalReply(refusal))
  const inline = parsed.data.response_format === 'b64_json'
  return drawAndAnswer(deps, received, parsed.data, async (task) =>
    inline ? { b64_json: await base64Of(deps, task) } : { url: resultUrl(deps, task) },
  )
}
