'use client'

import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import { adminAction } from '@/app/admin/actions'
import type { ReviewAct } from '@/lib/domain/operator-act'
import { forgetPress, pressIdOf } from '@/lib/web/admin-press'
import type { ActPreviewView } from '@/lib/web/admin-views'
import { cn } from '@/lib/web/class-names'
import { creditsInEnglish } from '@/lib/web/admin-credit-words'
import { reviewActWords } from '@/lib/web/review-act-words'
import { Button } from './ui/button'
import { fieldClasses } from './ui/input'
import { ModalDialog, panelClasses } from './ui/modal-dialog'

export type BulkAct = Extract<ReviewAct, 'look-again' | 'retry-delivery' | 'compensate'>

type AdminBulkDialogProps = {
  readonly act: BulkAct
  readonly previews: readonly ActPreviewView[]
  readonly onClose: () => void
}

const LOST = 'The answer got lost. Press again: each is done once.'

/** What will happen to each, why it is done, and then what came of each. One press id an attempt. */
export function AdminBulkDialog({ act, previews, onClose }: AdminBulkDialogProps) {
  const router = useRouter()
  const reason = useRef<HTMLTextAreaElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [answers, setAnswers] = useState<Readonly<Record<string, string>>>({})
  const [open, setOpen] = useState(() => previews.filter((one) => one.why_not === null))
  const { title } = reviewActWords(act, { price: 1, reserved: 'credits', settlement: null })

  const run = async () => {
    setBusy(true)
    const left: ActPreviewView[] = []
    for (const one of open) {
      const asked = {
        act,
        attemptId: one.id,
        version: one.version,
        reason: reason.current?.value ?? '',
      }
      const answer = await adminAction({ ...asked, id: pressIdOf(asked) }).catch(() => undefined)
      const isAgain =
        !answer || (!answer.ok && ['invalid', 'signed-out'].includes(answer.refusal.code))
      if (answer && (answer.ok || answer.refusal.code !== 'signed-out')) forgetPress(asked)
      if (isAgain) left.push(one)
      const words = answer ? (answer.ok ? answer.value.message : answer.refusal.message) : LOST
      setAnswers((before) => ({ ...before, [one.id]: words }))
    }
    setOpen(left)
    setBusy(false)
    router.refresh()
  }

  return (
    <ModalDialog
      aria-labelledby="bulk-title"
      onClose={onClose}
      className={cn(panelClasses, 'max-h-[90vh] w-[min(44rem,calc(100vw-2rem))] p-6')}
    >
      <form
        method="post"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy) void run()
        }}
        className="flex flex-col gap-4"
      >
        <h2 id="bulk-title" className="text-lg font-medium tracking-tight">
          {title}: {open.length} of {previews.length}
        </h2>
        <ul className="max-h-[40vh] divide-y overflow-y-auto rounded-lg border text-sm">
          {previews.map((one) => (
            <li key={one.id} data-bulk={one.id} className="flex flex-col gap-0.5 px-3 py-2.5">
              <span className="break-all">{one.account_email ?? 'a guest'}</span>
              <span className="font-mono text-xs break-all text-muted">{one.id}</span>
              <span className={one.why_not === null ? undefined : 'text-muted'}>
                {one.why_not ?? reviewActWords(act, one).consequence}
              </span>
              {answers[one.id] !== undefined && (
                <span role="status" className="font-medium">
                  {answers[one.id]}
                </span>
              )}
            </li>
          ))}
        </ul>
        <label className="flex flex-col gap-1.5 text-sm font-medium">
          Reason
          <textarea
            ref={reason}
            rows={2}
            aria-describedby="bulk-note"
            className={cn(fieldClasses, 'py-2 font-normal')}
          />
        </label>
        <p id="bulk-note" className="text-sm text-muted">
          At least 8 characters. It goes into the log of each and is not shown to the accounts.
        </p>
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="outline" onClick={onClose}>
            {Object.keys(answers).length > 0 ? 'Close' : 'Do nothing'}
          </Button>
          {open.length > 0 && (
            <Button
              type="submit"
              disabled={isBusy}
              focusableWhenDisabled
              className="h-auto min-h-10 py-2"
            >
              {isBusy ? 'Doing it…' : buttonWords(act, title, open)}
            </Button>
          )}
        </div>
      </form>
    </ModalDialog>
  )
}

function buttonWords(act: BulkAct, title: string, open: readonly ActPreviewView[]): string {
  const standing = open.filter(({ settlement }) => settlement === null)
  const credits = standing.reduce(
    (sum, one) => sum + (one.reserved === 'credits' ? one.price : 0),
    0,
  )
  return act === 'compensate'
    ? `Compensate ${open.length}: ${creditsInEnglish(credits)} go back`
    : `${title}: ${open.length}; ${creditsInEnglish(credits)} stay on hold`
}
