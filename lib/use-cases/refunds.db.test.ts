import { describe, expect, test } from 'vitest'
import { openShop } from '@/test/buying'
import type { SignedEvent } from '@/test/stripe-stand-in'
import { auditLedger } from './audit-ledger'
import { readAdminOverview } from './read-admin-overview'
import { readPaymentTroubles } from './read-purchases'
import { reviewAccount } from './review-accounts'
import { reviewLedger } from './review-ledger'

const shop = openShop()

/** As if the account had used so many of its credits. */
const use = (account: string, credits: number) =>
  shop().rows(
    `select post_entry($1, 'corrected', $2, null, 'used', 'test', 'used up in a test')`,
    account,
    -credits,
  )

async function deliverAll(events: readonly SignedEvent[]): Promise<void> {
  for (const event of events) await shop().deliver(event)
}

/** Every order of a few things. */
function orders<Thing>(things: readonly Thing[]): readonly (readonly Thing[])[] {
  if (things.length < 2) return [things]
  return things.flatMap((first, at) =>
    orders(things.toSpliced(at, 1)).map((rest) => [first, ...rest]),
  )
}

describe('a refund', () => {
  test('takes back the same part of the credits as of the money, all of it at the end', async () => {
    const { paid, stripe, deliver, lines, state, balance } = shop()
    const bought = await paid()
    // 1.23 of 5 euros are 24.6 of 100 credits: what is broken stays with the buyer until the rest is given back.
    for (const amount of [123, 300, 500]) await deliver(stripe.refundEvent(bought.session, amount))
    expect(await lines(bought.account)).toEqual([
      ['purchased', 100],
      ['refunded', -24],
      ['refunded', -36],
      ['refunded', -40],
    ])
    expect(await state(bought)).toEqual({ state: 'paid', taken: 100, owed: 0 })
    expect(await balance(bought.account)).toEqual({ available: 0, held: 0, spent: 0 })
  })

  test('told twenty times at once, by one event and by many, is taken back once', async () => {
    const { paid, stripe, deliver, lines } = shop()
    const bought = await paid()
    const one = stripe.refundEvent(bought.session, 250)
    await Promise.all(
      Array.from({ length: 20 }, (_, nth) =>
        deliver(nth % 2 === 0 ? one : stripe.refundEvent(bought.session, 250)),
      ),
    )
    expect(await lines(bought.account)).toEqual([
      ['purchased', 100],
      ['refunded', -50],
    ])
  })

  test('of several parts comes to the same in every order, and all at once', async () => {
    const { paid, stripe, deliver, state } = shop()
    const amounts = [100, 250, 400]
    for (const order of orders(amounts)) {
      const bought = await paid()
      await deliverAll(order.map((amount) => stripe.refundEvent(bought.session, amount)))
      expect(await state(bought)).toEqual({ state: 'paid', taken: 80, owed: 0 })
    }
    const bought = await paid()
    await Promise.all(amounts.map((amount) => deliver(stripe.refundEvent(bought.session, amount))))
    expect(await state(bought)).toEqual({ state: 'paid', taken: 80, owed: 0 })
  })

  test('that comes before the payment counts once the payment is known', async () => {
    const { buy, stripe, deliver, lines } = shop()
    const bought = await buy()
    stripe.pay(bought.session, 'now')
    await deliver(stripe.refundEvent(bought.session, 500))
    expect(await lines(bought.account)).toEqual([])
    await deliver(stripe.sessionEvent('completed', bought.session))
    expect(await lines(bought.account)).toEqual([
      ['purchased', 100],
      ['refunded', -100],
    ])
  })

  test('at the moment of the payment is neither lost nor taken twice', async () => {
    const { buy, stripe, deliver, state } = shop()
    for (let round = 0; round < 10; round += 1) {
      const bought = await buy()
      stripe.pay(bought.session, 'now')
      await Promise.all([
        deliver(stripe.sessionEvent('completed', bought.session)),
        deliver(stripe.refundEvent(bought.session, 500, { metadata: {} })),
        deliver(stripe.disputeEvent('created', bought.session, 'needs_response')),
      ])
      expect(await state(bought)).toEqual({ state: 'paid', taken: 100, owed: 0 })
    }
  })

  test('takes no more than is available, and what is missing is owed, for a person to see', async () => {
    const { paid, stripe, deliver, lines, state, deps } = shop()
    const bought = await paid()
    await use(bought.account, 70)
    await deliver(stripe.refundEvent(bought.session, 500))
    expect((await lines(bought.account)).at(-1)).toEqual(['refunded', -30])
    expect(await state(bought)).toEqual({ state: 'paid', taken: 30, owed: 70 })
    const { owing } = await readPaymentTroubles(deps)
    expect(owing.map(({ id, owed }) => ({ id, owed }))).toContainEqual({ id: bought.id, owed: 70 })
  })

  test('takes nothing of an account that has nothing, and writes no line', async () => {
    const { paid, stripe, deliver, lines, state } = shop()
    const bought = await paid()
    await use(bought.account, 100)
    await deliver(stripe.refundEvent(bought.session, 500))
    expect(await lines(bought.account)).toHaveLength(2)
    expect(await state(bought)).toEqual({ state: 'paid', taken: 0, owed: 100 })
  })

  test('races with what the credits are used for, and nothing falls below nothing', async () => {
    const { paid, stripe, deliver, start, balance, state } = shop()
    const bought = await paid()
    await use(bought.account, 90)
    const [, ...starts] = await Promise.allSettled([
      deliver(stripe.refundEvent(bought.session, 500)),
      ...Array.from({ length: 10 }, () => start(bought.account)),
    ])
    const held = starts.filter(({ status }) => status === 'fulfilled').length
    const { taken, owed } = (await state(bought)) as { taken: number; owed: number }
    expect(taken + owed).toBe(100)
    expect(await balance(bought.account)).toMatchObject({ held, available: 10 - held - taken })
  })

  test('that failed at Stripe is for a person', async () => {
    const { paid, stripe, deliver, lines, troubles } = shop()
    const bought = await paid()
    const { paymentId, currency } = bought.session
    const failed = { id: 're_1', amount: 500, currency, payment_intent: paymentId }
    await deliver(stripe.signed('refund.failed', failed))
    expect(await troubles(bought)).toEqual(['refund_failed'])
    expect(await lines(bought.account)).toEqual([['purchased', 100]])
  })

  test.each([
    ['in another currency', { currency: 'usd' }, 0],
    ['of more than was paid', { amount_refunded: 501 }, 100],
  ] as const)('%s is for a person', async (_what, changed, taken) => {
    const { paid, stripe, deliver, state, troubles } = shop()
    const bought = await paid()
    await deliver(stripe.refundEvent(bought.session, 500, changed))
    expect(await troubles(bought)).toEqual(['amount_mismatch'])
    expect(await state(bought)).toMatchObject({ taken })
  })

  test('of another kind of money moves nothing', async () => {
    const { paid, stripe, deliver, state, troubles } = shop()
    const bought = await paid()
    const { body } = stripe.refundEvent(bought.session, 500)
    const live = { ...(JSON.parse(body) as { data: { object: object } }), livemode: true }
    await deliver(stripe.signed('charge.refunded', live.data.object, { livemode: true }))
    expect(await troubles(bought)).toEqual(['livemode_mismatch'])
    expect(await state(bought)).toMatchObject({ taken: 0 })
  })

  test('of a payment that is nobody’s is kept for a person', async () => {
    const { buy, stripe, deliver, deps } = shop()
    const bought = await buy()
    const event = stripe.refundEvent(bought.session, 500, {
      metadata: {},
      payment_intent: 'pi_elsewhere',
    })
    await deliver(event)
    const { events } = await readPaymentTroubles(deps)
    expect(events).toContainEqual(
      expect.objectContaining({ id: event.id, trouble: 'unknown_purchase', amount: 500 }),
    )
  })
})

describe('a dispute', () => {
  test('takes back, and gives back when it is won', async () => {
    const { paid, stripe, deliver, lines, state } = shop()
    const bought = await paid()
    await deliver(stripe.disputeEvent('created', bought.session, 'needs_response'))
    expect(await state(bought)).toEqual({ state: 'paid', taken: 100, owed: 0 })
    await deliver(stripe.disputeEvent('closed', bought.session, 'won'))
    expect(await lines(bought.account)).toEqual([
      ['purchased', 100],
      ['disputed', -100],
      ['reinstated', 100],
    ])
    expect(await state(bought)).toEqual({ state: 'paid', taken: 0, owed: 0 })
  })

  test('that is lost keeps what it took', async () => {
    const { paid, stripe, deliver, lines } = shop()
    const bought = await paid()
    await deliver(stripe.disputeEvent('created', bought.session, 'needs_response'))
    await deliver(stripe.disputeEvent('closed', bought.session, 'lost'))
    expect(await lines(bought.account)).toEqual([
      ['purchased', 100],
      ['disputed', -100],
    ])
  })

  test('that was won owes nothing, even where its end was told first', async () => {
    const { paid, stripe, deliver, lines, state } = shop()
    const bought = await paid()
    await use(bought.account, 60)
    await deliver(stripe.disputeEvent('closed', bought.session, 'won'))
    await deliver(stripe.disputeEvent('created', bought.session, 'needs_response'))
    expect(await lines(bought.account)).toHaveLength(2)
    const other = await paid()
    await use(other.account, 60)
    await deliver(stripe.disputeEvent('created', other.session, 'needs_response'))
    expect(await state(other)).toEqual({ state: 'paid', taken: 40, owed: 60 })
    await deliver(stripe.disputeEvent('closed', other.session, 'won'))
    expect(await state(other)).toEqual({ state: 'paid', taken: 0, owed: 0 })
  })

  test('beside a refund takes no more than the whole, in every order', async () => {
    const { paid, stripe, state } = shop()
    for (const order of orders(['refund', 'dispute', 'closed'] as const)) {
      const bought = await paid()
      await deliverAll(
        order.map((what) => {
          if (what === 'refund') return stripe.refundEvent(bought.session, 200)
          return what === 'dispute'
            ? stripe.disputeEvent('created', bought.session, 'needs_response')
            : stripe.disputeEvent('closed', bought.session, 'lost')
        }),
      )
      expect(await state(bought)).toEqual({ state: 'paid', taken: 100, owed: 0 })
    }
  })

  test('in another currency is for a person', async () => {
    const { paid, stripe, deliver, state, troubles } = shop()
    const bought = await paid()
    const changed = { currency: 'usd' }
    await deliver(stripe.disputeEvent('created', bought.session, 'needs_response', changed))
    expect(await troubles(bought)).toEqual(['amount_mismatch'])
    expect(await state(bought)).toMatchObject({ taken: 0 })
  })
})

test('what needs a person is shown to those who review, with its purchase, and to nobody else', async () => {
  const { paid, stripe, deliver, deps, openAccount } = shop()
  const bought = await paid()
  await use(bought.account, 100)
  await deliver(stripe.refundEvent(bought.session, 500))
  const accountId = await openAccount(0)
  for (const role of ['support', 'auditor', 'admin'] as const) {
    const reviewer = { accountId, email: 'somebody@example.com', role }
    const seen = await reviewAccount(deps, reviewer, bought.account, { limit: 10 })
    expect(seen?.purchases).toMatchObject([{ id: bought.id, state: 'paid', taken: 0, owed: 100 }])
    expect((await reviewLedger(deps, reviewer))?.owing[0]).toMatchObject({ id: bought.id })
    expect((await readAdminOverview(deps, reviewer))?.payment_troubles).toBeGreaterThan(0)
  }
  const user = { accountId, email: 'somebody@example.com', role: 'user' } as const
  expect(await reviewLedger(deps, user)).toBeUndefined()
  expect(await reviewAccount(deps, user, bought.account, { limit: 10 })).toBeUndefined()
})

test('after all of this the audit finds that everything adds up', async () => {
  expect(await auditLedger(shop().deps)).toMatchObject({ ok: true, violations: [] })
})
