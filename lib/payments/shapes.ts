import { z } from 'zod'

// Of Stripe's objects what is read here. Others of their members may come and go.

/** An id, or the whole object where that was asked for. */
const Reference = z.union([z.string(), z.object({ id: z.string() })]).nullish()
const Metadata = z.record(z.string(), z.string()).nullish()

export const SessionShape = z.object({
  id: z.string(),
  amount_total: z.unknown(),
  client_reference_id: z.string().nullish(),
  created: z.int().min(0),
  currency: z.unknown(),
  livemode: z.boolean(),
  payment_intent: Reference,
  payment_status: z.string(),
  status: z.string().nullish(),
})
export type SessionShape = z.infer<typeof SessionShape>

/** As it comes where it was asked for in full. */
export const PaymentShape = z.object({ status: z.string() })

const Charge = z.object({
  amount_refunded: z.unknown(),
  currency: z.unknown(),
  metadata: Metadata,
  payment_intent: Reference,
})
const Refund = z.object({ amount: z.unknown(), currency: z.unknown(), payment_intent: Reference })
const Dispute = z.object({
  id: z.string(),
  amount: z.unknown(),
  currency: z.unknown(),
  payment_intent: Reference,
  status: z.string(),
})

const event = <Type extends string, Shape extends z.ZodType>(type: Type, object: Shape) =>
  z.object({
    id: z.string(),
    type: z.literal(type),
    created: z.int().min(0),
    livemode: z.boolean(),
    data: z.object({ object }),
  })

/** The events that move money here. */
export const EventShape = z.discriminatedUnion('type', [
  event('checkout.session.completed', SessionShape),
  event('checkout.session.async_payment_succeeded', SessionShape),
  event('checkout.session.async_payment_failed', SessionShape),
  event('checkout.session.expired', SessionShape),
  event('charge.refunded', Charge),
  event('refund.failed', Refund),
  event('charge.dispute.created', Dispute),
  event('charge.dispute.closed', Dispute),
])
export type EventShape = z.infer<typeof EventShape>
