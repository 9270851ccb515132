import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Stripe from 'stripe'

// Stripe's API as far as Darkroom asks it, in Stripe's wire format, with the page on which a buyer pays.
// https://docs.stripe.com/api/checkout/sessions, https://docs.stripe.com/api/idempotent_requests

export const STRIPE_SECRET_KEY = 'sk_test_standin'
export const STRIPE_WEBHOOK_SECRET = 'whsec_of_the_stand_in'

const SECOND_MS = 1_000

/** `lose`: it is done, and the answer never arrives. `slow`: it arrives late. */
export type StripeFault = 'lose' | 'fail' | 'refuse' | 'slow'

export type StandInSession = {
  readonly id: string
  readonly paymentId: string
  readonly purchaseId: string
  readonly amount: number
  readonly currency: string
  readonly successUrl: string
  status: 'open' | 'complete' | 'expired'
  paymentStatus: 'paid' | 'unpaid'
  intentStatus: 'requires_payment_method' | 'processing' | 'succeeded'
  refunded: number
}

export type SignedEvent = {
  readonly id: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

const text = (value: string | null) => value ?? ''

export async function startStripeStandIn(slowMs = 1_000) {
  const sessions = new Map<string, StandInSession>()
  const answered = new Map<string, { readonly body: string; readonly answer: string }>()
  const faults: StripeFault[] = []
  let creates = 0
  let url = ''

  const wire = (session: StandInSession, expand = false) => ({
    id: session.id,
    object: 'checkout.session',
    amount_subtotal: session.amount,
    amount_total: session.amount,
    client_reference_id: session.purchaseId,
    created: Math.floor(Date.now() / SECOND_MS),
    currency: session.currency,
    livemode: false,
    metadata: { purchase_id: session.purchaseId },
    mode: 'payment',
    payment_intent: expand
      ? { id: session.paymentId, object: 'payment_intent', status: session.intentStatus }
      : session.paymentId,
    payment_status: session.paymentStatus,
    status: session.status,
    success_url: session.successUrl,
    url: session.status === 'open' ? `${url}/pay/${session.id}` : null,
  })

  function create(body: string): StandInSession {
    const form = new URLSearchParams(body)
    const price = 'line_items[0][price_data]'
    const session: StandInSession = {
      id: `cs_test_${randomUUID().replaceAll('-', '')}`,
      paymentId: `pi_${randomUUID().replaceAll('-', '')}`,
      purchaseId: text(form.get('client_reference_id')),
      amount: Number(form.get(`${price}[unit_amount]`)),
      currency: text(form.get(`${price}[currency]`)),
      successUrl: text(form.get('success_url')),
      status: 'open',
      paymentStatus: 'unpaid',
      intentStatus: 'requires_payment_method',
      refunded: 0,
    }
    sessions.set(session.id, session)
    return session
  }

  const error = (type: string, code: string) =>
    JSON.stringify({ error: { type, code, message: code } })

  function answerCreate(request: IncomingMessage, body: string, fault: StripeFault | undefined) {
    creates += 1
    if (fault === 'fail') return { status: 500, answer: error('api_error', 'internal') }
    if (fault === 'refuse') {
      return { status: 400, answer: error('invalid_request_error', 'amount_too_small') }
    }
    const key = String(request.headers['idempotency-key'])
    const known = answered.get(key)
    if (known && known.body !== body) {
      return { status: 400, answer: error('idempotency_error', 'keys_reused') }
    }
    const answer = known?.answer ?? JSON.stringify(wire(create(body)))
    answered.set(key, { body, answer })
    return { status: 200, answer }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const asked = new URL(request.url ?? '/', url)
    const [, first, , , id = ''] = asked.pathname.split('/')
    const send = (status: number, type: string, content: string, headers = {}) =>
      response.writeHead(status, { 'content-type': type, ...headers }).end(content)
    if (first === 'pay') answerBuyer(request, asked, response)
    else if (request.headers.authorization !== `Bearer ${STRIPE_SECRET_KEY}`) {
      send(401, 'application/json', error('invalid_request_error', 'api_key'))
    } else if (request.method === 'POST' && asked.pathname === '/v1/checkout/sessions') {
      const fault = faults.shift()
      if (fault === 'slow') await sleep(slowMs)
      const made = answerCreate(request, body, fault)
      if (fault === 'lose') response.destroy()
      else send(made.status, 'application/json', made.answer)
    } else {
      const session = sessions.get(id)
      if (faults.shift() === 'fail') send(500, 'application/json', error('api_error', 'internal'))
      else if (!session) send(404, 'application/json', error('invalid_request_error', 'missing'))
      else {
        if (asked.pathname.endsWith('/expire')) session.status = 'expired'
        send(200, 'application/json', JSON.stringify(wire(session, asked.search !== '')))
      }
    }
  }

  /** The page that the buyer is sent to. */
  function answerBuyer(request: IncomingMessage, asked: URL, response: ServerResponse): void {
    const session = sessions.get(asked.pathname.split('/')[2] ?? '')
    if (!session) {
      response.writeHead(404).end()
    } else if (request.method === 'POST') {
      pay(session, asked.searchParams.has('later') ? 'later' : 'now')
      response.writeHead(303, { location: session.successUrl }).end()
    } else {
      response.writeHead(200, { 'content-type': 'text/html' }).end(
        `<!doctype html><html lang="en"><title>Checkout</title><h1>Checkout</h1>
         <form method="post"><button>Pay</button></form>
         <form method="post" action="?later"><button>Pay by transfer</button></form>
         <a href="${session.successUrl}">Back</a></html>`,
      )
    }
  }

  function pay(session: StandInSession, when: 'now' | 'later'): void {
    session.status = 'complete'
    session.paymentStatus = when === 'now' ? 'paid' : 'unpaid'
    session.intentStatus = when === 'now' ? 'succeeded' : 'processing'
  }

  function signed(type: string, object: object, changed: object = {}): SignedEvent {
    const event = {
      id: `evt_${randomUUID().replaceAll('-', '')}`,
      object: 'event',
      api_version: '2026-10-28.endive',
      created: Math.floor(Date.now() / SECOND_MS),
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
      data: { object },
      ...changed,
    }
    const body = JSON.stringify(event)
    return { id: event.id, body, headers: { 'stripe-signature': signatureOf(body) } }
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url,
    sessions,
    /** How often it was asked to make a session, whatever came of it. */
    creates: () => creates,
    fault: (...next: readonly StripeFault[]) => void faults.push(...next),
    sessionOf(purchaseId: string): StandInSession {
      const found = [...sessions.values()].filter((session) => session.purchaseId === purchaseId)
      if (found.length !== 1 || !found[0]) throw new Error(`${found.length} sessions`)
      return found[0]
    },
    pay,
    /** The delayed payment of a session ends. */
    finish(session: StandInSession, how: 'succeeded' | 'failed'): void {
      session.paymentStatus = how === 'succeeded' ? 'paid' : 'unpaid'
      session.intentStatus = how === 'succeeded' ? 'succeeded' : 'requires_payment_method'
    },
    expire: (session: StandInSession) => {
      session.status = 'expired'
    },
    sessionEvent: (
      what: 'completed' | 'async_payment_succeeded' | 'async_payment_failed' | 'expired',
      session: StandInSession,
      changed: object = {},
    ) => signed(`checkout.session.${what}`, { ...wire(session), ...changed }),
    refundEvent: (session: StandInSession, amount: number, changed: object = {}) =>
      signed('charge.refunded', {
        id: `ch_${session.paymentId}`,
        object: 'charge',
        amount: session.amount,
        amount_refunded: amount,
        currency: session.currency,
        livemode: false,
        metadata: { purchase_id: session.purchaseId },
        payment_intent: session.paymentId,
        ...changed,
      }),
    disputeEvent: (
      what: 'created' | 'closed',
      session: StandInSession,
      status: string,
      changed: object = {},
    ) =>
      signed(`charge.dispute.${what}`, {
        id: `dp_${session.paymentId}`,
        object: 'dispute',
        amount: session.amount,
        charge: `ch_${session.paymentId}`,
        currency: session.currency,
        livemode: false,
        payment_intent: session.paymentId,
        status,
        ...changed,
      }),
    signed,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

export type StripeStandIn = Awaited<ReturnType<typeof startStripeStandIn>>

/** As Stripe signs; by another secret, as somebody else would. */
export const signatureOf = (
  payload: string,
  { secret = STRIPE_WEBHOOK_SECRET, at = new Date() } = {},
): string =>
  Stripe.webhooks.generateTestHeaderString({
    payload,
    secret,
    timestamp: Math.floor(at.getTime() / SECOND_MS),
  })
