'use client'

import { useTranslations } from 'next-intl'
import { X } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { cn } from '@/lib/web/class-names'
import { Button } from './button'
import { ModalDialog, panelClasses } from './modal-dialog'

type DialogProps = {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A titled dialog, open for as long as it is there. Escape, its cross and its backdrop close it. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const t = useTranslations('common')
  const titleId = useId()
  return (
    <ModalDialog
      aria-labelledby={titleId}
      onClose={onClose}
      onClick={({ target, currentTarget }) => {
        // Its backdrop belongs to the dialog's box, everything that is seen to something inside it.
        if (target === currentTarget) onClose()
      }}
      className={cn(panelClasses, 'w-[min(34rem,calc(100vw-2rem))] p-0')}
    >
      <div className="flex max-h-[80dvh] flex-col gap-4 p-5">
        <div className="flex items-center justify-between gap-4">
          <h2 id={titleId} className="text-lg font-medium tracking-tight">
            {title}
          </h2>
          <Button variant="ghost" size="icon" aria-label={t('close')} onClick={onClose}>
            <X aria-hidden="true" />
          </Button>
        </div>
        {children}
      </div>
    </ModalDialog>
  )
}
