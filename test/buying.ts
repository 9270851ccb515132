import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import type { AccountId } from '@/lib/domain/ids'
import { PurchaseId, type Payments } from '@/lib/domain/purchase'
import { standardPacks } from '@/lib/payments/standard-packs'
import { createStripePayments } from '@/lib/payments/stripe-payments'
import { buyCredits } from '@/lib/use-cases/buy-credits'
import type { WorkerDeps } from '@/lib/use-cases/deps'
import { receivePaymentEvent } from '@/lib/use-cases/record-payment'
import {
  startStripeStandIn,
  STRIPE_SECRET_KEY,
  STRIPE_WEBHOOK_SECRET,
  type SignedEvent,
  type StandInSession,
} from './stripe-stand-in'
import { openWorld } from './world'

/** One purchase as tests follow it: ours, and the session that Stripe made for it. */
export type Bought = {
  readonly account: AccountId
  readonly id: PurchaseId
  readonly session: StandInSession
}

/** A world in which credits are sold, through a Stripe that answers on this machine. */
export function openShop() {
  const world = openWorld()
  let made: Awaited<ReturnType<typeof openInside>> | undefined
  const shop = () => {
    if (!made) throw new Error('the shop is not open')
    return made
  }

  async function openInside() {
    const stripe = await startStripeStandIn()
    const payments = createStripePayments({
      secretKey: STRIPE_SECRET_KEY,
      webhookSecret: STRIPE_WEBHOOK_SECRET,
      apiUrl: stripe.url,
      appUrl: 'http://127.0.0.1:3000',
      packs: standardPacks,
    })
    const deps: WorkerDeps & { readonly payments: Payments } = { ...world().deps, payments }

    /** Somebody's session for a pack of 100 credits at 5 euros, not yet paid. */
    async function buy(account?: AccountId): Promise<Bought> {
      const buyer = account ?? (await world().openAccount(0))
      const answer = await buyCredits(deps, buyer, { requestId: randomUUID(), pack: 's' })
      if (!answer.ok) throw new Error(`not sold: ${answer.refusal.code}`)
      const session = stripe.sessions.get(answer.value.url.split('/').at(-1) ?? '')
      if (!session) throw new Error('there is no session')
      return { account: buyer, id: PurchaseId.parse(session.purchaseId), session }
    }

    const deliver = ({ body, headers }: SignedEvent) =>
      receivePaymentEvent(deps, {
        body: Buffer.from(body),
        signature: headers['stripe-signature'] ?? '',
        now: new Date(),
      })

    /** Bought, paid, and told. */
    async function paid(account?: AccountId): Promise<Bought> {
      const bought = await buy(account)
      stripe.pay(bought.session, 'now')
      await deliver(stripe.sessionEvent('completed', bought.session))
      return bought
    }

    const lines = async (account: AccountId) =>
      (
        await world().rows(
          'select kind, amount from ledger_entry where account_id = $1 order by seq',
          account,
        )
      ).map(({ kind, amount }) => [kind, amount])

    const state = async ({ id }: Bought) =>
      (await world().rows('select state, taken, owed from purchase where id = $1', id))[0]

    const troubles = async ({ id }: Bought) =>
      (
        await world().rows(
          `select trouble from payment_event where purchase_id = $1 and trouble is not null`,
          id,
        )
      ).map(({ trouble }) => trouble)

    const balance = (account: AccountId) => world().balance(account)

    return {
      ...world(),
      balance,
      stripe,
      deps,
      payments,
      buy,
      deliver,
      paid,
      lines,
      state,
      troubles,
    }
  }

  beforeAll(async () => {
    made = await openInside()
  })
  afterAll(() => shop().stripe.close())
  return shop
}
