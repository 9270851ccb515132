'use client'

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
  const what = count === 1 ? 'this picture' : `these ${count} pictures`
  return (
    <dialog
      ref={dialog}
      aria-labelledby="delete-title"
      onClose={onClose}
      className="m-auto w-[min(28rem,calc(100vw-2rem))] rounded-lg border bg-surface p-6 text-foreground shadow-xl shadow-black/30 backdrop:bg-black/60"
    >
      <h2 id="delete-title" className="text-lg font-medium tracking-tight">
        Delete {what}?
      </h2>
      <div className="mt-3 flex flex-col gap-2 text-sm leading-relaxed">
        <p>
          {count === 1 ? 'Its file is' : 'Their files are'} removed and cannot be brought back, and
          shared links stop working.
        </p>
        <p className="text-muted">
          What stays: the prompt and settings, the history, and every line about credits. Deleting
          changes no charge.
        </p>
      </div>
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <Button variant="outline" autoFocus onClick={() => dialog.current?.close()}>
          Keep {count === 1 ? 'it' : 'them'}
        </Button>
        <Button disabled={isDeleting} focusableWhenDisabled onClick={onConfirm}>
          {isDeleting ? 'Deleting…' : `Delete ${count === 1 ? 'picture' : `${count} pictures`}`}
        </Button>
      </div>
    </dialog>
  )
}
