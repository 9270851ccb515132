import type { PaymentTrouble, PurchaseState } from '@/lib/domain/purchase'

export const purchaseStatesInEnglish: Record<PurchaseState, string> = {
  opening: 'Recorded, no session known',
  open: 'Not paid yet',
  waiting: 'Payment under way',
  paid: 'Paid',
  failed: 'Payment failed',
  expired: 'Expired',
}

/** What is the matter, and what a person may want to do about it. */
export const troublesInEnglish: Record<PaymentTrouble, string> = {
  unknown_purchase: 'A payment for no purchase of ours. Look for it at Stripe.',
  livemode_mismatch:
    'Test money for a real purchase, or real money for a test. Nothing was granted.',
  second_session: 'Paid or told through another session than ours. Nothing was granted for it.',
  amount_mismatch: 'Another amount or currency than was asked for. Nothing was granted for it.',
  account_closed: 'Paid after the account was closed. Give the money back at Stripe.',
  refund_failed: 'Stripe could not carry out a refund. Its credits stay as they are.',
}
