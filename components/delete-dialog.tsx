'use client'

import { useTranslations } from 'next-intl'
import { useEffect, useRef } from 'react'
import { Button } from './ui/button'

type DeleteDialogProps = {
  readonly count: number
  readonly isDeleting: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before anything is deleted, and says what goes and what stays. Open for as long as it is there. */
export function DeleteDialog({ count, isDeleting, onConfirm, onClose }: DeleteDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const t = useTranslations('images.delete')
  return (
    <dialog
      ref={dialog}
      aria-labelledby="delete-title"
      onClose={onClose}
      className="m-auto w-[min(28rem,calc(100vw-2rem))] rounded-lg border bg-surface p-6 text-foreground shadow-xl shadow-black/30 backdrop:bg-black/60"
    >
      <h2 id="delete-title" className="text-lg font-medium tracking-tight">
        {t('title', { count })}
      </h2>
      <div className="mt-3 flex flex-col gap-2 text-sm leading-relaxed">
        <p>{t('file', { count })}</p>
        <p className="text-muted">{t('stays')}</p>
      </div>
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <Button variant="outline" autoFocus onClick={() => dialog.current?.close()}>
          {t('keep', { count })}
        </Button>
        <Button disabled={isDeleting} focusableWhenDisabled onClick={onConfirm}>
          {isDeleting ? t('deleting') : t('confirm', { count })}
        </Button>
      </div>
    </dialog>
  )
}
