import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AccountId } from '@/lib/domain/ids'
import { PurchaseId, type Payments } from '@/lib/domain/purchase'
import {
  signatureOf,
  startStripeStandIn,
  STRIPE_SECRET_KEY,
  STRIPE_WEBHOOK_SECRET,
  type StandInSession,
  type StripeStandIn,
} from '@/test/stripe-stand-in'
import { standardPacks } from './standard-packs'
import { createStripePayments } from './stripe-payments'

let stripe: StripeStandIn
let payments: Payments
let purchaseId: PurchaseId

beforeAll(async () => {
  stripe = await startStripeStandIn()
  payments = paymentsWith({})
})
afterAll(() => stripe.close())
beforeEach(() => {
  purchaseId = PurchaseId.parse(randomUUID())
})

const paymentsWith = (changed: { readonly secretKey?: string }) =>
  createStripePayments({
    secretKey: STRIPE_SECRET_KEY,
    webhookSecret: STRIPE_WEBHOOK_SECRET,
    apiUrl: stripe.url,
    appUrl: 'http://localhost:3000',
    packs: standardPacks,
    ...changed,
  })

const request = (amount = 500) => ({
  purchaseId,
  accountId: AccountId.parse('00000000-0000-4000-8000-000000000001'),
  pack: { name: 'S', amount, currency: 'eur' as const },
})

async function opened(): Promise<StandInSession> {
  expect((await payments.openSession(request())).kind).toBe('opened')
  return stripe.sessionOf(purchaseId)
}

const read = ({ body, headers }: { body: string; headers: Readonly<Record<string, string>> }) =>
  payments.readEvent(Buffer.from(body), headers['stripe-signature'] ?? '', new Date())

describe('a session', () => {
  test('sells what the purchase says, names it, and leads back to it', async () => {
    const answer = await payments.openSession(request())
    const session = stripe.sessionOf(purchaseId)
    expect(answer).toEqual({
      kind: 'opened',
      sessionId: session.id,
      url: `${stripe.url}/pay/${session.id}`,
    })
    expect(session).toMatchObject({
      amount: 500,
      currency: 'eur',
      successUrl: `http://localhost:3000/credits?purchase=${purchaseId}`,
    })
  })

  test('is one, however often its answer is lost', async () => {
    // Its own library repeats a closed connection once; that is a try of the same key too.
    stripe.fault('lose', 'lose', 'lose')
    expect((await payments.openSession(request())).kind).toBe('opened')
    stripe.fault('lose', 'lose', 'lose', 'lose')
    expect((await payments.openSession(request())).kind).toBe('unknown')
    expect((await payments.openSession(request())).kind).toBe('opened')
    expect(stripe.sessionOf(purchaseId).purchaseId).toBe(purchaseId)
  })

  test('may exist after an error of Stripe’s', async () => {
    stripe.fault('fail', 'fail')
    expect((await payments.openSession(request())).kind).toBe('unknown')
  })

  test('does not exist when Stripe refuses what was asked for, or our key', async () => {
    stripe.fault('refuse')
    expect((await payments.openSession(request())).kind).toBe('refused')
    const stranger = paymentsWith({ secretKey: 'sk_test_other' })
    expect((await stranger.openSession(request())).kind).toBe('refused')
  })

  test('that is asked for under a used key with another amount is not known to be refused', async () => {
    await opened()
    expect((await payments.openSession(request(501))).kind).toBe('unknown')
  })
})

describe('a look', () => {
  test.each([
    ['open', () => undefined],
    ['paid', (session: StandInSession) => stripe.pay(session, 'now')],
    ['waiting', (session: StandInSession) => stripe.pay(session, 'later')],
    ['expired', (session: StandInSession) => stripe.expire(session)],
    [
      'failed',
      (session: StandInSession) => {
        stripe.pay(session, 'later')
        stripe.finish(session, 'failed')
      },
    ],
  ] as const)('finds that it is %s, and the same each time', async (outcome, become) => {
    const session = await opened()
    become(session)
    const news = await payments.lookAtSession(session.id)
    expect(news).toMatchObject({
      kind: 'session',
      id: `look:${session.id}:${outcome}`,
      outcome,
      purchaseId,
      amount: 500,
      currency: 'eur',
      livemode: false,
    })
    expect(await payments.lookAtSession(session.id)).toEqual(news)
  })

  test('that fails knows nothing', async () => {
    const session = await opened()
    stripe.fault('fail')
    expect(await payments.lookAtSession(session.id)).toBeUndefined()
    expect(await payments.lookAtSession('cs_test_none')).toBeUndefined()
  })
})

describe('an event', () => {
  test.each([
    ['completed', 'now', 'paid'],
    ['completed', 'later', 'waiting'],
    ['async_payment_succeeded', 'now', 'paid'],
    ['async_payment_failed', 'later', 'failed'],
    ['expired', 'later', 'expired'],
  ] as const)(
    'checkout.session.%s of what is paid %s says that it is %s',
    async (what, when, says) => {
      const session = await opened()
      stripe.pay(session, when)
      const event = stripe.sessionEvent(what, session)
      expect(read(event)).toMatchObject({
        kind: 'news',
        news: { id: event.id, outcome: says, purchaseId, sessionId: session.id, amount: 500 },
      })
    },
  )

  test('tells how much was refunded so far, and of which purchase', async () => {
    const session = await opened()
    expect(read(stripe.refundEvent(session, 120))).toMatchObject({
      news: { kind: 'refund', amount: 120, purchaseId, paymentId: session.paymentId },
    })
  })

  test.each([
    ['created', 'needs_response', 'open'],
    ['closed', 'won', 'won'],
    ['closed', 'lost', 'lost'],
  ] as const)('of a dispute that is %s as %s says %s', async (what, status, outcome) => {
    const session = await opened()
    expect(read(stripe.disputeEvent(what, session, status))).toMatchObject({
      news: { kind: 'dispute', outcome, amount: 500 },
    })
  })

  test.each(['warning_needs_response', 'prevented'])(
    'of a question of the bank’s (%s) moves nothing',
    async (status) => {
      const session = await opened()
      expect(read(stripe.disputeEvent('created', session, status))?.kind).toBe('nothing')
    },
  )

  test.each(['customer.created', 'payment_intent.succeeded'])(
    'of another kind (%s) is none of ours',
    (type) => {
      expect(read(stripe.signed(type, { id: 'x' }))).toEqual({ kind: 'nothing' })
    },
  )

  test('with less than money needs is no news', async () => {
    const session = await opened()
    const changes = [{ amount_total: null }, { currency: null }, { id: '' }, { amount_total: -1 }]
    for (const changed of changes) {
      expect(read(stripe.sessionEvent('completed', session, changed))?.kind).toBe('nothing')
    }
  })

  test('that names a purchase that cannot be one is of no purchase', async () => {
    const session = await opened()
    const event = stripe.sessionEvent('completed', session, { client_reference_id: 'x; drop' })
    expect(read(event)).toMatchObject({ news: { purchaseId: undefined } })
  })

  test('is believed only as Stripe signs it, now, byte for byte', async () => {
    const { body } = stripe.sessionEvent('completed', await opened())
    const forged = [
      '',
      't=1,v1=00',
      signatureOf(body, { secret: 'whsec_another' }),
      signatureOf(`${body} `),
      signatureOf(body, { at: new Date(Date.now() - 301_000) }),
    ]
    for (const signature of forged) {
      expect(payments.readEvent(Buffer.from(body), signature, new Date())).toBeUndefined()
    }
    expect(payments.readEvent(Buffer.from(body), signatureOf(body), new Date())).toBeDefined()
  })

  test('that is signed and no event is forged', () => {
    for (const body of ['', 'null', '{', '[]']) {
      const answer = payments.readEvent(Buffer.from(body), signatureOf(body), new Date())
      expect(answer?.kind ?? 'forged').not.toBe('news')
    }
  })
})

test.each([
  ['sk_test_x', false],
  ['sk_live_x', true],
  ['rk_live_x', true],
])('the key %s is of real money: %s', (secretKey, livemode) => {
  expect(paymentsWith({ secretKey }).livemode).toBe(livemode)
})
