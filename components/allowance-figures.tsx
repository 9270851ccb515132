import { useTranslations } from 'next-intl'
import type { AllowanceView } from '@/lib/web/views'
import { LocalTime } from './local-time'

/** Today's free images, and when there are new ones, in the reader's own time. */
export function AllowanceFigures({ allowance }: { readonly allowance: AllowanceView }) {
  const { limit, remaining, held, delivered, resets_at } = allowance
  const t = useTranslations('credits.allowance')
  if (limit === 0) return null
  return (
    <section aria-label={t('label')} className="mt-4 rounded-lg border bg-surface p-5">
      <p className="font-medium tabular-nums">{t('left', { remaining, limit })}</p>
      <p className="mt-1 text-sm text-muted tabular-nums">
        {t.rich('use', { used: delivered, held, time: () => <LocalTime iso={resets_at} zone /> })}
      </p>
    </section>
  )
}
