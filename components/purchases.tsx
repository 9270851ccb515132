import { useLocale, useTranslations } from 'next-intl'
import { priceText } from '@/lib/web/price-words'
import type { PurchaseView } from '@/lib/web/purchase-views'
import { BuyButton } from './buy-button'
import { LocalTime } from './local-time'

/** The newest purchases, whatever became of them. What they moved is in the statement. */
export function Purchases({ purchases }: { readonly purchases: readonly PurchaseView[] }) {
  const t = useTranslations('credits')
  const locale = useLocale()
  if (purchases.length === 0) return null
  return (
    <section aria-labelledby="purchases-heading" className="mt-4">
      <h2 id="purchases-heading" className="mb-3 font-medium">
        {t('purchases.title')}
      </h2>
      <ul className="divide-y rounded-lg border bg-surface text-sm">
        {purchases.map(({ id, pack, amount, currency, request_id, ...purchase }) => (
          <li
            key={id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-3"
          >
            <span className="tabular-nums">
              <LocalTime iso={purchase.created_at} />
              <span className="block text-muted">
                {purchase.name}, {t('buy.credits', { credits: purchase.credits })},{' '}
                {priceText(amount, currency, locale)}
              </span>
            </span>
            <span>{t(`purchases.state.${purchase.state}`)}</span>
            {purchase.can_go_on && (
              <BuyButton pack={{ id: pack, amount, currency }} requestId={request_id} />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
