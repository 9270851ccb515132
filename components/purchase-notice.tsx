import { useTranslations } from 'next-intl'
import type { PurchaseView } from '@/lib/web/purchase-views'
import { BuyButton } from './buy-button'
import { LiveRefresh } from './live-refresh'

/** For whoever comes back from paying: what is known of it, which coming back says nothing about. */
export function PurchaseNotice({ purchase }: { readonly purchase: PurchaseView }) {
  const t = useTranslations('credits.purchases')
  const { id, state, pack, amount, currency, can_go_on, request_id, credits } = purchase
  const isOpen = state === 'open' || state === 'waiting'
  return (
    <div
      data-purchase-id={id}
      data-state={state}
      className="mb-4 flex flex-wrap items-center justify-between gap-3 rounded-lg border bg-surface p-5"
    >
      {isOpen && <LiveRefresh />}
      <p role="status">{t(`notice.${state}`, { credits })}</p>
      {can_go_on && <BuyButton pack={{ id: pack, amount, currency }} requestId={request_id} />}
    </div>
  )
}
