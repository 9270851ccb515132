'use client'

import { useTranslations } from 'next-intl'
import { cn } from '@/lib/web/class-names'
import { Button } from './ui/button'
import { ModalDialog, panelClasses } from './ui/modal-dialog'

type DeleteDialogProps = {
  readonly count: number
  readonly isDeleting: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before anything is deleted, and says what goes and what stays. Open for as long as it is there. */
export function DeleteDialog({ count, isDeleting, onConfirm, onClose }: DeleteDialogProps) {
  const t = useTranslations('images.delete')
  return (
    <ModalDialog
      aria-labelledby="delete-title"
      onClose={onClose}
      className={cn(panelClasses, 'w-[min(28rem,calc(100vw-2rem))] p-6')}
    >
      <h2 id="delete-title" className="text-lg font-medium tracking-tight">
        {t('title', { count })}
      </h2>
      <div className="mt-3 flex flex-col gap-2 text-sm leading-relaxed">
        <p>{t('file', { count })}</p>
        <p className="text-muted">{t('stays')}</p>
      </div>
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <Button variant="outline" autoFocus onClick={onClose}>
          {t('keep', { count })}
        </Button>
        <Button disabled={isDeleting} focusableWhenDisabled onClick={onConfirm}>
          {isDeleting ? t('deleting') : t('confirm', { count })}
        </Button>
      </div>
    </ModalDialog>
  )
}
