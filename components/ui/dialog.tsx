'use client'

import { useTranslations } from 'next-intl'
import { X } from 'lucide-react'
import { useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { Button } from './button'

type DialogProps = {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** The browser's own modal dialog, open for as long as it is there. Escape and its backdrop close it. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const t = useTranslations('common')
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  // Closed before it is taken away, whoever takes it: the browser gives the focus back to where it was.
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onClose={onClose}
      onClick={({ target, currentTarget }) => {
        // Its backdrop belongs to the dialog's box, everything that is seen to something inside it.
        if (target === currentTarget) currentTarget.close()
      }}
      className="m-auto w-[min(34rem,calc(100vw-2rem))] rounded-lg border bg-surface p-0 text-foreground shadow-xl shadow-black/30 backdrop:bg-black/60"
    >
      <div className="flex max-h-[80dvh] flex-col gap-4 p-5">
        <div className="flex items-center justify-between gap-4">
          <h2 id={titleId} className="text-lg font-medium tracking-tight">
            {title}
          </h2>
          <Button
            variant="ghost"
            size="icon"
            aria-label={t('close')}
            onClick={() => dialog.current?.close()}
          >
            <X aria-hidden="true" />
          </Button>
        </div>
        {children}
      </div>
    </dialog>
  )
}
