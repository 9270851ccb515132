import Stripe from 'stripe'
import type { Pack } from '@/lib/domain/pack'
import type { Payments, SessionAnswer, SessionRequest } from '@/lib/domain/purchase'
import { readEvent } from './read-event'
import { outcomeOf, sessionNews } from './read-session'
import { SessionShape } from './shapes'

// Somebody waits for the answer before their browser goes to Stripe.
const TIMEOUT_MS = 8_000
// The first try, and one more for an answer that was lost on the way.
const TRIES_MAX = 2
// What Stripe's own library recommends against recorded events that are sent again.
const TOLERANCE_SECONDS = 300

export type StripeSettings = {
  readonly secretKey: string
  readonly webhookSecret: string
  /** Where its API is; undefined: where Stripe has it. */
  readonly apiUrl: string | undefined
  readonly appUrl: string
  readonly packs: readonly Pack[]
}

/**
 * Credits for money through Stripe's hosted page. A session is made under our purchase's id as the
 * idempotency key, which Stripe honours for a day: however often it is asked for, it is one session.
 * https://docs.stripe.com/api/idempotent_requests
 */
export function createStripePayments(settings: StripeSettings): Payments {
  const { secretKey, webhookSecret, packs } = settings
  const stripe = new Stripe(secretKey, {
    // How often to ask again is decided here; its library repeats a closed connection by itself, under the same key.
    maxNetworkRetries: 0,
    timeout: TIMEOUT_MS,
    telemetry: false,
    ...addressOf(settings.apiUrl),
  })

  return {
    packs,
    livemode: /^[a-z]+_live_/.test(secretKey),

    async openSession(request) {
      for (let tried = 1; ; tried += 1) {
        const answer = await openOnce(stripe, request, settings.appUrl)
        if (answer.kind !== 'unknown' || tried === TRIES_MAX) return answer
      }
    },

    async lookAtSession(sessionId) {
      try {
        const session = await stripe.checkout.sessions.retrieve(sessionId, {
          expand: ['payment_intent'],
        })
        const seen = SessionShape.safeParse(session).data
        if (!seen) return undefined
        const outcome = outcomeOf(seen, session.payment_intent)
        // What was found names what was learned: the same found again is the same.
        const id = `look:${session.id}:${outcome}`
        return sessionNews(seen, { id, occurredAt: new Date(seen.created * 1_000), outcome })
      } catch (error) {
        // Not seen is not known: whoever asked looks again.
        if (error instanceof Stripe.errors.StripeError) return undefined
        throw error
      }
    },

    readEvent(body, signature, now) {
      let event: unknown
      try {
        event = stripe.webhooks.constructEvent(
          body,
          signature,
          webhookSecret,
          TOLERANCE_SECONDS,
          undefined,
          now.getTime(),
        )
      } catch {
        // A wrong signature, one that is too old, or bytes that are no event.
        return undefined
      }
      const news = readEvent(event)
      return news ? { kind: 'news', news } : { kind: 'nothing' }
    },
  }
}

function addressOf(apiUrl: string | undefined) {
  if (apiUrl === undefined) return {}
  const { protocol, hostname, port } = new URL(apiUrl)
  return {
    protocol: protocol === 'http:' ? ('http' as const) : ('https' as const),
    host: hostname,
    ...(port !== '' && { port }),
  }
}

async function openOnce(
  stripe: Stripe,
  { purchaseId, accountId, pack }: SessionRequest,
  appUrl: string,
): Promise<SessionAnswer> {
  const back = `${appUrl}/credits?purchase=${purchaseId}`
  const metadata = { purchase_id: purchaseId, account_id: accountId }
  try {
    const { id, url } = await stripe.checkout.sessions.create(
      {
        mode: 'payment',
        client_reference_id: purchaseId,
        metadata,
        payment_intent_data: { metadata },
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: pack.currency,
              unit_amount: pack.amount,
              product_data: { name: pack.name },
            },
          },
        ],
        success_url: back,
        cancel_url: back,
      },
      { idempotencyKey: purchaseId },
    )
    return url === null
      ? { kind: 'unknown', because: 'a session without an address' }
      : { kind: 'opened', sessionId: id, url }
  } catch (error) {
    return answerFor(error)
  }
}

/** Only what Stripe documents as refused before anything was made is taken for refused. */
function answerFor(error: unknown): SessionAnswer {
  const { errors } = Stripe
  if (!(error instanceof errors.StripeError)) throw error
  const because = `${error.type}: ${error.code ?? error.statusCode ?? 'no answer'}`
  const isRefused =
    error instanceof errors.StripeInvalidRequestError ||
    error instanceof errors.StripeAuthenticationError ||
    error instanceof errors.StripePermissionError
  return { kind: isRefused ? 'refused' : 'unknown', because }
}
