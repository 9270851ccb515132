import Link from 'next/link'
import { creditsInEnglish } from '@/lib/web/admin-credit-words'
import { purchaseStatesInEnglish, troublesInEnglish } from '@/lib/web/admin-purchase-words'
import { priceText } from '@/lib/web/price-words'
import type { AdminPurchaseView } from '@/lib/web/purchase-views'
import { utcWords } from '@/lib/web/time-words'

type AdminPurchasesProps = {
  readonly purchases: readonly AdminPurchaseView[]
  /** Where they are not all of the account that is looked at. */
  readonly linksAccount?: boolean
}

/** Purchases with what became of their money, and what is owed of them. */
export function AdminPurchases({ purchases, linksAccount = false }: AdminPurchasesProps) {
  return (
    <ol className="divide-y rounded-lg border bg-surface text-sm">
      {purchases.map((purchase) => (
        <li
          key={purchase.id}
          data-purchase-id={purchase.id}
          className="grid gap-x-6 gap-y-1 px-4 py-3 sm:grid-cols-[minmax(0,1fr)_auto]"
        >
          <span className="min-w-0">
            <span className="font-medium">{purchaseStatesInEnglish[purchase.state]}</span>{' '}
            <span className="text-muted">
              {creditsInEnglish(purchase.credits)} for{' '}
              {priceText(purchase.amount, purchase.currency, 'en')}
              {purchase.taken > 0 && `, ${creditsInEnglish(purchase.taken)} taken back`}
            </span>
            {purchase.owed > 0 && (
              <span className="block text-safelight-ink">
                {creditsInEnglish(purchase.owed)} owed: they were used before the money was given
                back.
              </span>
            )}
            {purchase.troubles.map((trouble) => (
              <span key={trouble} className="block text-safelight-ink">
                {troublesInEnglish[trouble]}
              </span>
            ))}
            {linksAccount && (
              <Link
                href={`/admin/accounts/${purchase.account_id}`}
                className="block py-1 font-mono text-xs break-all underline decoration-line-strong underline-offset-4"
              >
                {purchase.account_id}
              </Link>
            )}
          </span>
          <span className="text-muted sm:text-right">{utcWords(purchase.created_at)}</span>
          <span className="font-mono text-xs break-all text-muted sm:col-span-2">
            {purchase.id}
            {purchase.payment_id !== null && `, ${purchase.payment_id}`}
          </span>
        </li>
      ))}
    </ol>
  )
}
