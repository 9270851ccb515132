'use client'

import { useTranslations } from 'next-intl'
import { Download, Star, Trash2, X } from 'lucide-react'
import { DOWNLOAD_BYTES_MAX, PICTURES_AT_ONCE_MAX } from '@/lib/domain/gallery'
import { toast } from '@/lib/web/toast'
import type { PictureView } from '@/lib/web/views'
import { Button } from './ui/button'

type SelectionBarProps = {
  readonly pictures: readonly PictureView[]
  readonly onAll: () => void
  readonly onFavourite: (isOn: boolean) => void
  readonly onDelete: () => void
  readonly onDone: () => void
}

const weight = (pictures: readonly PictureView[]) =>
  pictures.reduce((sum, { attempt }) => sum + (attempt.artwork?.size_bytes ?? 0), 0)

/** What can be done with the chosen pictures. */
export function SelectionBar({
  pictures,
  onAll,
  onFavourite,
  onDelete,
  onDone,
}: SelectionBarProps) {
  const t = useTranslations('images')
  const count = pictures.length
  const isTooMany = count > PICTURES_AT_ONCE_MAX
  const cannot = count === 0 || isTooMany
  const areFavourites = count > 0 && pictures.every(({ favourite }) => favourite)
  const download = () => {
    if (weight(pictures) > DOWNLOAD_BYTES_MAX) {
      toast.error(t('select.tooLarge'))
      return
    }
    const ids = pictures.map(({ attempt }) => attempt.id).join(',')
    window.location.assign(`/api/images/zip?ids=${ids}`)
  }
  return (
    <section
      aria-label={t('select.label')}
      className="sticky bottom-3 z-30 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center justify-center gap-1 rounded-xl border border-line-strong bg-surface p-1.5 shadow-xl shadow-black/30"
    >
      <p role="status" className="px-3! text-sm tabular-nums">
        {count === 0
          ? t('select.none')
          : isTooMany
            ? t('select.tooMany', { count, max: PICTURES_AT_ONCE_MAX })
            : t('select.count', { count })}
      </p>
      <Button variant="ghost" className="px-3!" onClick={onAll}>
        {t('select.all')}
      </Button>
      <Button
        variant="ghost"
        className="px-3!"
        disabled={cannot}
        onClick={() => onFavourite(!areFavourites)}
      >
        <Star aria-hidden="true" className={areFavourites ? 'fill-current' : undefined} />
        {t(areFavourites ? 'favourite.remove' : 'favourite.add')}
      </Button>
      <Button variant="ghost" className="px-3!" disabled={cannot} onClick={download}>
        <Download aria-hidden="true" />
        {t('download')}
      </Button>
      <Button variant="ghost" className="px-3!" disabled={cannot} onClick={onDelete}>
        <Trash2 aria-hidden="true" />
        {t('delete.start')}
      </Button>
      <Button variant="ghost" size="icon" aria-label={t('select.stop')} onClick={onDone}>
        <X aria-hidden="true" />
      </Button>
    </section>
  )
}
