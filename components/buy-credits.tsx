import { useTranslations } from 'next-intl'
import Link from 'next/link'
import type { PackView } from '@/lib/web/purchase-views'
import { BuyButton } from './buy-button'
import { buttonVariants } from './ui/button-variants'

type BuyCreditsProps = {
  /** Undefined where credits are not sold. */
  readonly packs: readonly PackView[] | undefined
  readonly kind: 'user' | 'guest'
  /** Of a day. */
  readonly freeImages: number
}

/** What can be bought, or how credits are obtained where nothing can. */
export function BuyCredits({ packs, kind, freeImages }: BuyCreditsProps) {
  const t = useTranslations('credits.buy')
  if (!packs) {
    return (
      <p className="mt-4 text-sm text-muted">
        {freeImages > 0 ? t('notSoldFree', { images: freeImages }) : t('notSold')}
      </p>
    )
  }
  return (
    <section aria-labelledby="buy-heading" className="mt-4 rounded-lg border bg-surface p-5">
      <h2 id="buy-heading" className="font-medium">
        {t('title')}
      </h2>
      <p className="mt-1 text-sm text-muted">{t(kind === 'guest' ? 'guest' : 'lead')}</p>
      {kind === 'guest' ? (
        <Link href="/sign-up" className={buttonVariants({ variant: 'outline', className: 'mt-4' })}>
          {t('signUp')}
        </Link>
      ) : (
        <ul className="mt-4 grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
          {packs.map((pack) => (
            <li key={pack.id} className="flex flex-col gap-3 rounded-md border p-4">
              <p>
                <span className="font-mono text-xl tracking-tight tabular-nums">
                  {t('credits', { credits: pack.credits })}
                </span>
                <span className="block text-sm text-muted">{pack.name}</span>
              </p>
              <BuyButton pack={pack} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
