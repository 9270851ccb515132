import type { Pack } from '@/lib/domain/pack'
import type { PaymentTrouble, PurchaseState } from '@/lib/domain/purchase'

export type PackView = Pack

/** One purchase as its buyer sees it. Whether it is paid is what the ledger says. */
export type PurchaseView = {
  readonly id: string
  readonly request_id: string
  readonly pack: string
  readonly name: string
  readonly credits: number
  /** In the currency's smallest unit. */
  readonly amount: number
  readonly currency: Pack['currency']
  readonly state: PurchaseState
  /** Whether it can still be paid where it was begun. */
  readonly can_go_on: boolean
  readonly created_at: string
}

/** `owed`: what a refund or a dispute calls for and was not available any more. */
export type AdminPurchaseView = PurchaseView & {
  readonly account_id: string
  readonly session_id: string | null
  readonly payment_id: string | null
  readonly taken: number
  readonly owed: number
  readonly troubles: readonly PaymentTrouble[]
}

/** What Stripe said that does not fit what was asked for. */
export type PaymentTroubleView = {
  readonly id: string
  readonly kind: 'session' | 'refund' | 'dispute'
  readonly outcome: string
  readonly account_id: string | null
  readonly session_id: string | null
  readonly payment_id: string | null
  readonly amount: number
  readonly currency: string
  readonly trouble: PaymentTrouble
  readonly received_at: string
}
