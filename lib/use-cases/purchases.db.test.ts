import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { AccountId } from '@/lib/domain/ids'
import { openShop } from '@/test/buying'
import { signatureOf } from '@/test/stripe-stand-in'
import { buyCredits } from './buy-credits'
import { receivePaymentEvent } from './record-payment'
import { lookAtPurchase, watchPurchases } from './watch-purchases'

const shop = openShop()

const order = (changed: object = {}) => ({ requestId: randomUUID(), pack: 's', ...changed })
const many = <Value>(count: number, make: (nth: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, nth) => make(nth)))

const PAID = [['purchased', 100]]

/** As if so much time had passed since it was asked for, and since it was looked at. */
const wait = (id: string, time: string) =>
  shop().rows(
    `update purchase set look_at = look_at - $2::interval, looked_at = looked_at - $2::interval
     where id = $1 and look_at is not null`,
    id,
    time,
  )

describe('buying', () => {
  test('is recorded before Stripe hears of it', async () => {
    const { openAccount, stripe, deps, rows } = shop()
    const account = await openAccount(0)
    stripe.fault('fail', 'fail')
    const answer = await buyCredits(deps, account, order())
    expect(answer).toEqual({ ok: false, refusal: { code: 'unanswered' } })
    const kept = await rows('select state, session_id from purchase where account_id = $1', account)
    expect(kept).toEqual([{ state: 'opening', session_id: null }])
  })

  test('twenty times at once under one request is one purchase and one session', async () => {
    const { openAccount, deps, stripe } = shop()
    const account = await openAccount(0)
    const asked = order()
    const answers = await many(20, () => buyCredits(deps, account, asked))
    const urls = new Set(answers.map((answer) => (answer.ok ? answer.value.url : 'refused')))
    expect(urls.size).toBe(1)
    const session = [...stripe.sessions.values()].filter(({ id }) => [...urls][0]?.endsWith(id))
    expect(session).toHaveLength(1)
    expect(stripe.sessionOf(session[0]?.purchaseId ?? '')).toBe(session[0])
  })

  test('goes on with the same session when the answer about it was lost', async () => {
    const { openAccount, deps, stripe, rows } = shop()
    const account = await openAccount(0)
    const asked = order()
    stripe.fault('lose', 'lose', 'lose', 'lose')
    expect((await buyCredits(deps, account, asked)).ok).toBe(false)
    const answer = await buyCredits(deps, account, asked)
    const [purchase] = await rows('select id from purchase where account_id = $1', account)
    const session = stripe.sessionOf(String(purchase?.['id']))
    expect(answer).toEqual({ ok: true, value: { url: `${stripe.url}/pay/${session.id}` } })
  })

  test('asks for what was recorded, whatever the pack costs by now', async () => {
    const { openAccount, deps, stripe } = shop()
    const account = await openAccount(0)
    const asked = order()
    stripe.fault('fail', 'fail')
    await buyCredits(deps, account, asked)
    const dearer = deps.payments.packs.map((pack) => ({ ...pack, amount: pack.amount * 2 }))
    const later = { ...deps, payments: { ...deps.payments, packs: dearer } }
    const answer = await buyCredits(later, account, asked)
    const id = answer.ok ? answer.value.url.split('/').at(-1) : ''
    expect(stripe.sessions.get(id ?? '')?.amount).toBe(500)
  })

  test('ends when Stripe refuses to sell, and may begin anew', async () => {
    const { openAccount, deps, stripe } = shop()
    const account = await openAccount(0)
    const asked = order()
    stripe.fault('refuse')
    expect(await buyCredits(deps, account, asked)).toMatchObject({ refusal: { code: 'refused' } })
    expect(await buyCredits(deps, account, asked)).toMatchObject({ refusal: { code: 'over' } })
    expect((await buyCredits(deps, account, order())).ok).toBe(true)
  })

  test.each([
    ['nothing', undefined, 'invalid-input'],
    ['no request', { pack: 's' }, 'invalid-input'],
    ['a price of its own', { ...order(), amount: 1 }, 'invalid-input'],
    ['a pack that is not sold', order({ pack: 'gift' }), 'not-sold'],
  ] as const)('with %s is refused', async (_what, input, code) => {
    const { openAccount, deps } = shop()
    expect(await buyCredits(deps, await openAccount(0), input)).toEqual({
      ok: false,
      refusal: { code },
    })
  })

  test('another pack under a used request is refused', async () => {
    const { openAccount, deps } = shop()
    const account = await openAccount(0)
    const asked = order()
    await buyCredits(deps, account, asked)
    const answer = await buyCredits(deps, account, { ...asked, pack: 'm' })
    expect(answer).toMatchObject({ refusal: { code: 'id-reused' } })
  })

  test('is not for guests, strangers, suspended accounts or where nothing is sold', async () => {
    const { openAccount, deps, rows } = shop()
    const guest = AccountId.parse(randomUUID())
    await rows(`insert into account (id, kind) values ($1, 'guest')`, guest)
    const suspended = await openAccount(0)
    await rows(`update account set status = 'suspended' where id = $1`, suspended)
    const codes = [
      await buyCredits(deps, guest, order()),
      await buyCredits(deps, AccountId.parse(randomUUID()), order()),
      await buyCredits(deps, suspended, order()),
      await buyCredits({ ...deps, payments: undefined }, await openAccount(0), order()),
    ].map((answer) => (answer.ok ? 'sold' : answer.refusal.code))
    expect(codes).toEqual(['no-account', 'no-account', 'account-suspended', 'not-sold'])
  })

  test('stops at twenty that nobody pays', async () => {
    const { openAccount, deps } = shop()
    const account = await openAccount(0)
    await many(20, () => buyCredits(deps, account, order()))
    expect(await buyCredits(deps, account, order())).toMatchObject({
      refusal: { code: 'too-many-open' },
    })
  })
})

describe('a payment', () => {
  test('is granted once, though its event comes twenty times at once', async () => {
    const { buy, stripe, deliver, lines, balance } = shop()
    const bought = await buy()
    stripe.pay(bought.session, 'now')
    const event = stripe.sessionEvent('completed', bought.session)
    const outcomes = await many(20, () => deliver(event))
    expect(outcomes.filter((outcome) => outcome === 'kept')).toHaveLength(1)
    expect(await lines(bought.account)).toEqual(PAID)
    expect(await balance(bought.account)).toEqual({ available: 100, held: 0, spent: 0 })
  })

  test('is granted once, though two events, a look and the buyer tell of it at once', async () => {
    const { buy, stripe, deliver, deps, lines, state, rows } = shop()
    const bought = await buy()
    stripe.pay(bought.session, 'now')
    await wait(bought.id, '5 minutes')
    await Promise.all([
      ...['completed', 'async_payment_succeeded', 'completed'].map((what) =>
        deliver(
          stripe.sessionEvent(
            what === 'completed' ? what : 'async_payment_succeeded',
            bought.session,
          ),
        ),
      ),
      watchPurchases(deps),
      ...Array.from({ length: 5 }, () => lookAtPurchase(deps, bought.account, bought.id)),
    ])
    expect(await lines(bought.account)).toEqual(PAID)
    expect(await state(bought)).toEqual({ state: 'paid', taken: 0, owed: 0 })
    const granted = await rows('select seq from purchase_entry where purchase_id = $1', bought.id)
    expect(granted).toEqual([{ seq: 1 }])
  })

  test('that takes its time waits, and is granted when it has come', async () => {
    const { buy, stripe, deliver, lines, state } = shop()
    const bought = await buy()
    stripe.pay(bought.session, 'later')
    await deliver(stripe.sessionEvent('completed', bought.session))
    expect(await lines(bought.account)).toEqual([])
    expect(await state(bought)).toMatchObject({ state: 'waiting' })
    stripe.finish(bought.session, 'succeeded')
    await deliver(stripe.sessionEvent('async_payment_succeeded', bought.session))
    expect(await lines(bought.account)).toEqual(PAID)
  })

  test.each([
    ['failed', 'async_payment_failed'],
    ['expired', 'expired'],
  ] as const)('that %s grants nothing, in whatever order it is told', async (state, what) => {
    const { buy, stripe, deliver, lines, state: stateOf } = shop()
    for (const reversed of [false, true]) {
      const bought = await buy()
      stripe.pay(bought.session, 'later')
      const events = [
        ...(state === 'failed' ? [stripe.sessionEvent('completed', bought.session)] : []),
        stripe.sessionEvent(what, bought.session),
      ]
      for (const event of reversed ? events.toReversed() : events) await deliver(event)
      expect(await stateOf(bought)).toMatchObject({ state })
      expect(await lines(bought.account)).toEqual([])
    }
  })

  test('stays paid, whatever older news arrives', async () => {
    const { paid, stripe, deliver, lines, state } = shop()
    const bought = await paid()
    for (const what of ['expired', 'async_payment_failed'] as const) {
      await deliver(stripe.sessionEvent(what, bought.session))
    }
    expect(await state(bought)).toMatchObject({ state: 'paid' })
    expect(await lines(bought.account)).toEqual(PAID)
  })

  test.each([
    ['of another amount', { amount_total: 499 }, 'amount_mismatch'],
    ['of more', { amount_total: 501 }, 'amount_mismatch'],
    ['in another currency', { currency: 'usd' }, 'amount_mismatch'],
    ['of another kind of money', { livemode: true }, 'livemode_mismatch'],
    ['through another session', { id: 'cs_test_another' }, 'second_session'],
  ] as const)('%s is never granted, and kept for a person', async (_what, changed, trouble) => {
    const { buy, stripe, deliver, lines, state, troubles } = shop()
    const bought = await buy()
    stripe.pay(bought.session, 'now')
    expect(await deliver(stripe.sessionEvent('completed', bought.session, changed))).toBe('kept')
    expect(await lines(bought.account)).toEqual([])
    expect(await state(bought)).toMatchObject({ state: 'open' })
    expect(await troubles(bought)).toEqual([trouble])
  })

  test('of a purchase that we do not know is taken, kept for a person, and grants nothing', async () => {
    const { buy, stripe, deliver, lines, rows } = shop()
    const bought = await buy()
    for (const client_reference_id of [randomUUID(), null, 'somebody else’s']) {
      const event = stripe.sessionEvent('completed', bought.session, { client_reference_id })
      expect(await deliver(event)).toBe('kept')
      expect(
        await rows('select trouble, purchase_id from payment_event where id = $1', event.id),
      ).toEqual([{ trouble: 'unknown_purchase', purchase_id: null }])
    }
    expect(await lines(bought.account)).toEqual([])
  })

  test('of an account that was closed meanwhile is granted, and kept for a person', async () => {
    const { buy, stripe, deliver, lines, troubles, rows } = shop()
    const bought = await buy()
    await rows('select close_account($1)', bought.account)
    stripe.pay(bought.session, 'now')
    await deliver(stripe.sessionEvent('completed', bought.session))
    expect(await lines(bought.account)).toEqual(PAID)
    expect(await troubles(bought)).toEqual(['account_closed'])
  })

  test('that somebody forged changes nothing', async () => {
    const { buy, stripe, deps, rows } = shop()
    const bought = await buy()
    const { id, body } = stripe.sessionEvent('completed', bought.session, {
      payment_status: 'paid',
    })
    for (const signature of ['', signatureOf(body, { secret: 'whsec_guessed' })]) {
      const request = { body: Buffer.from(body), signature, now: new Date() }
      expect(await receivePaymentEvent(deps, request)).toBe('forged')
      expect(await receivePaymentEvent({ ...deps, payments: undefined }, request)).toBe('forged')
    }
    expect(await rows('select id from payment_event where id = $1', id)).toEqual([])
  })
})

describe('a look', () => {
  test('finds what no event told', async () => {
    const { buy, stripe, deps, lines } = shop()
    const bought = await buy()
    stripe.pay(bought.session, 'now')
    await watchPurchases(deps)
    expect(await lines(bought.account)).toEqual([])
    await wait(bought.id, '2 minutes')
    await watchPurchases(deps)
    expect(await lines(bought.account)).toEqual(PAID)
  })

  test('that fails changes nothing, and is made again, but not at once', async () => {
    const { buy, stripe, deps, state, lines } = shop()
    const bought = await buy()
    stripe.pay(bought.session, 'now')
    stripe.fault('fail')
    await lookAtPurchase(deps, bought.account, bought.id)
    expect(await state(bought)).toMatchObject({ state: 'open' })
    await lookAtPurchase(deps, bought.account, bought.id)
    expect(await state(bought)).toMatchObject({ state: 'open' })
    await wait(bought.id, '5 seconds')
    await lookAtPurchase(deps, bought.account, bought.id)
    expect(await lines(bought.account)).toEqual(PAID)
  })

  test('is nobody’s to ask for but the buyer’s, and a return proves nothing', async () => {
    const { buy, stripe, deps, openAccount, state, lines } = shop()
    const bought = await buy()
    await lookAtPurchase(deps, bought.account, bought.id)
    expect(await state(bought)).toMatchObject({ state: 'open' })
    stripe.pay(bought.session, 'now')
    const other = await openAccount(0)
    for (const typed of [bought.id, 'x', undefined]) await lookAtPurchase(deps, other, typed)
    expect(await lines(bought.account)).toEqual([])
  })

  test('ends what was never opened after a day, without asking anybody', async () => {
    const { openAccount, stripe, deps, rows } = shop()
    const account = await openAccount(0)
    stripe.fault('fail', 'fail')
    await buyCredits(deps, account, order())
    const stateNow = async () =>
      (await rows('select state from purchase where account_id = $1', account))[0]?.['state']
    await watchPurchases(deps)
    expect(await stateNow()).toBe('opening')
    await rows('alter table purchase disable trigger purchase_guarded')
    await rows(
      `update purchase set created_at = created_at - interval '26 hours',
              look_at = look_at - interval '26 hours' where account_id = $1`,
      account,
    )
    await rows('alter table purchase enable trigger purchase_guarded')
    await watchPurchases(deps)
    expect(await stateNow()).toBe('expired')
  })
})
