import type { Cost } from '@/lib/domain/observation'
import type { Capabilities, Provider } from '@/lib/domain/provider'
import { IMAGE_ANSWER_BYTES_MAX, nothingToObserve } from '@/lib/providers/at-once'
import { submitAndJudge } from '@/lib/providers/judge'
import { unknownModel } from '@/lib/providers/unknown-model'
import { judgeComfyRouter } from './judge-answer'
import { ROUTER_WIRE } from './models'

const HOUR_MS = 60 * 60 * 1_000

/**
 * The same key is charged at most once in the 24 hours after its first call, and is answered with
 * what that call made where Router still has it
 * (https://docs.comfy.org/development/comfy-router/errors#retry-safely). An hour is left for clocks.
 * There is no task to look for, to observe or to stop while the answer is waited for.
 */
const CAPABILITIES: Omit<Capabilities, 'resultForMs'> = {
  answers: 'at-once',
  idempotentForMs: 23 * HOUR_MS,
  lookup: undefined,
  callback: undefined,
  cancel: undefined,
  // Router asks its users to read per model whether a refusal is charged, and says no more.
  billing: {
    failed: 'not-established',
    moderated: 'not-established',
    cancelled: 'not-established',
  },
}

// Router holds a call for ten minutes and wants to be waited for a minute longer.
const SUBMIT_TIMEOUT_MS = 11 * 60_000

export function createComfyRouterProvider(options: {
  readonly baseUrl: string
  readonly apiKey: string
  readonly now: () => Date
}): Provider {
  const { baseUrl, now } = options
  return {
    name: 'comfy-router',
    capabilities: (model) => ({ ...CAPABILITIES, resultForMs: ROUTER_WIRE[model]?.resultForMs }),
    trustedOrigins: [new URL(baseUrl).origin],
    submitTimeoutMs: () => SUBMIT_TIMEOUT_MS,

    async submit(submission, signal) {
      const wire = ROUTER_WIRE[submission.model]
      if (wire === undefined) return unknownModel(baseUrl, submission.model)
      let cost: Cost | undefined
      const report = await submitAndJudge(
        {
          // Who is asked for one run is not to ask somebody else for another.
          url: `${baseUrl}/v2/models/${wire.routerId}?fallback_provider=false`,
          headers: {
            'x-api-key': options.apiKey,
            'idempotency-key': submission.reference,
            'x-client-request-id': submission.reference,
          },
          body: JSON.stringify(wire.inputOf(submission)),
          signal,
          answerBytesMax: IMAGE_ANSWER_BYTES_MAX,
        },
        now,
        (answer) => {
          cost = costOf(answer.header('x-comfy-credits-used'))
          return judgeComfyRouter(answer, wire.read)
        },
      )
      return cost === undefined ? report : { ...report, usage: { ...report.usage, cost } }
    },

    observe: () => Promise.resolve(nothingToObserve),
  }
}

/** Absent does not mean free: it is told for some models only. */
function costOf(credits: string | undefined): Cost | undefined {
  const amount = /^\d+(\.\d+)?$/.test(credits ?? '') ? Number(credits) : undefined
  return amount === undefined ? undefined : { amount, unit: 'Comfy credits' }
}
