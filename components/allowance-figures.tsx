import type { AllowanceView } from '@/lib/web/views'
import { LocalTime } from './local-time'

/** Today's free images, and when there are new ones, in the reader's own time. */
export function AllowanceFigures({ allowance }: { readonly allowance: AllowanceView }) {
  const { limit, remaining, held, delivered, resets_at } = allowance
  if (limit === 0) return null
  return (
    <section aria-label="Free images" className="mt-4 rounded-lg border bg-surface p-5">
      <p className="font-medium tabular-nums">
        {remaining} of {limit} free images left today
      </p>
      <p className="mt-1 text-sm text-muted tabular-nums">
        {delivered} used, {held} on hold. They are taken before credits. New ones come at{' '}
        <LocalTime iso={resets_at} zone />.
      </p>
    </section>
  )
}
