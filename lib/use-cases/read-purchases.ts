import {
  findOwing,
  findPurchase,
  findPurchasesOf,
  findTroubledEvents,
  type PurchaseRow,
  type TroubledEvent,
} from '@/lib/db/purchase-reader'
import type { AccountId } from '@/lib/domain/ids'
import { PurchaseId } from '@/lib/domain/purchase'
import type {
  AdminPurchaseView,
  PackView,
  PaymentTroubleView,
  PurchaseView,
} from '@/lib/web/purchase-views'
import type { Deps } from './deps'

const SHOWN_MAX = 10
const TROUBLES_SHOWN_MAX = 100

/** What can be bought here; undefined where credits are not sold. */
export const readPacks = ({ payments }: Pick<Deps, 'payments'>): readonly PackView[] | undefined =>
  payments?.packs

/** The newest purchases, and the one that somebody came back from, if it is theirs. */
export async function readPurchases(
  deps: Pick<Deps, 'db'>,
  accountId: AccountId,
  typedId: string | undefined,
): Promise<{ readonly newest: readonly PurchaseView[]; readonly named: PurchaseView | undefined }> {
  const id = PurchaseId.safeParse(typedId).data
  const [newest, named] = await Promise.all([
    findPurchasesOf(deps.db, accountId, SHOWN_MAX),
    id && findPurchase(deps.db, id, accountId),
  ])
  return { newest: newest.map(purchaseView), named: named && purchaseView(named) }
}

function purchaseView(row: PurchaseRow): PurchaseView {
  return {
    id: row.id,
    request_id: row.request_id,
    pack: row.pack,
    name: row.pack_name,
    credits: row.credits,
    amount: row.amount,
    currency: row.currency,
    state: row.state,
    can_go_on: row.state === 'open' || (row.state === 'opening' && row.may_open),
    created_at: row.created_at.toISOString(),
  }
}

export function adminPurchaseView(row: PurchaseRow): AdminPurchaseView {
  const { account_id, session_id, payment_id, taken, owed, troubles } = row
  return { ...purchaseView(row), account_id, session_id, payment_id, taken, owed, troubles }
}

/** What of the payments needs a person. Whoever asks has made sure that they may read it. */
export async function readPaymentTroubles(deps: Pick<Deps, 'db'>): Promise<{
  readonly owing: readonly AdminPurchaseView[]
  readonly events: readonly PaymentTroubleView[]
}> {
  const [owing, events] = await Promise.all([
    findOwing(deps.db, TROUBLES_SHOWN_MAX),
    findTroubledEvents(deps.db, TROUBLES_SHOWN_MAX),
  ])
  return { owing: owing.map(adminPurchaseView), events: events.map(troubleView) }
}

const troubleView = ({ received_at: receivedAt, ...event }: TroubledEvent): PaymentTroubleView => ({
  ...event,
  received_at: receivedAt.toISOString(),
})
