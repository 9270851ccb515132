import { useTranslations } from 'next-intl'
import type { AttemptView } from '@/lib/web/views'
import { LocalTime } from './local-time'

/** A picture that its owner deleted says so, and what is still there. */
export function DeletedNotice({ attempt }: { readonly attempt: AttemptView }) {
  const t = useTranslations('images.delete')
  const { deleted_at: deletedAt } = attempt
  if (deletedAt === null) return null
  return (
    <p className="border-l-2 border-line-strong pl-3 text-sm leading-relaxed">
      {t.rich('notice', { time: () => <LocalTime iso={deletedAt} /> })}
    </p>
  )
}
