'use client'

import { useLayoutEffect, useRef, type ComponentProps } from 'react'

type ModalDialogProps = Omit<ComponentProps<'dialog'>, 'ref' | 'open' | 'onClose'> & {
  readonly onClose: () => void
}

export const panelClasses =
  'm-auto rounded-lg border bg-surface text-foreground shadow-xl shadow-black/30 backdrop:bg-black/60'

/** The browser's own modal dialog, open for as long as it is there. Escape asks to take it away. */
export function ModalDialog({ onClose, ...props }: ModalDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  // Closed before it is taken away, whoever takes it: the browser gives the focus back to where it was.
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      // Left to itself it would close at once and tell later: what is pressed in between would be lost.
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // It tells late: React tries effects twice in development, and by then it is open again.
      onClose={({ currentTarget }) => !currentTarget.open && onClose()}
      {...props}
    />
  )
}
