'use client'

import { useRouter } from 'next/navigation'
import { useState, type SyntheticEvent } from 'react'
import { adminAction } from '@/app/admin/actions'
import { bringImage } from '@/lib/web/admin-image'
import { forgetPress, pressIdOf } from '@/lib/web/admin-press'
import type { ActOffer } from '@/lib/web/admin-act-words'
import { cn } from '@/lib/web/class-names'
import { creditsInEnglish } from '@/lib/web/admin-credit-words'
import { formText } from '@/lib/web/form-text'
import { toast } from '@/lib/web/toast'
import { Button } from './ui/button'
import { fieldClasses } from './ui/input'
import { ModalDialog, panelClasses } from './ui/modal-dialog'

const LOST = 'The answer got lost. Press again: it is done once, however often you press.'

type DialogProps = { readonly offer: ActOffer; readonly onClose: () => void }

/** What will happen, why it is done, and the button that does it. Open for as long as it is there. */
export function AdminActDialog({ offer: current, onClose }: DialogProps) {
  // What was seen when it was opened: news underneath must not change what is confirmed.
  const [offer] = useState(current)
  const router = useRouter()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [isOver, setOver] = useState(false)
  const [amount, setAmount] = useState('')
  const button = /^-?\d{1,10}$/.test(amount)
    ? offer.button.replace('credits', creditsInEnglish(Number(amount)))
    : offer.button

  const submit = async (form: FormData) => {
    setBusy(true)
    const brought = await bring(offer, form).catch(() => ({ problem: LOST }))
    if ('problem' in brought) {
      setBusy(false)
      setProblem(brought.problem)
      return
    }
    const typed = offer.fields
      .filter(({ isFile }) => isFile !== true)
      .map(({ name }) => [name, formText(form, name)] as const)
    const asked = {
      ...offer.asks,
      ...Object.fromEntries(typed),
      ...brought,
      reason: formText(form, 'reason'),
    }
    const answer = await adminAction({ ...asked, id: pressIdOf(asked) }).catch(() => undefined)
    setBusy(false)
    if (!answer) {
      setProblem(LOST)
      return
    }
    if (!answer.ok) {
      if (answer.refusal.code !== 'signed-out') forgetPress(asked)
      setProblem(answer.refusal.message)
      if (answer.refusal.code !== 'changed-meanwhile') return
      setOver(true)
      router.refresh()
      return
    }
    forgetPress(asked)
    toast.success(answer.value.message)
    router.refresh()
    onClose()
  }
  const onSubmit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isBusy && !isOver) void submit(new FormData(event.currentTarget))
  }

  return (
    <ModalDialog
      aria-labelledby="act-title"
      onClose={onClose}
      className={cn(panelClasses, 'w-[min(32rem,calc(100vw-2rem))] p-6')}
    >
      <form method="post" noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
        <div>
          <h2 id="act-title" className="text-lg font-medium tracking-tight">
            {offer.title}
          </h2>
          <p className="mt-2 text-sm leading-relaxed">{offer.consequence}</p>
        </div>
        {offer.fields.map(({ name, label, isLong, isNumber, isFile }) => (
          <label key={name} className="flex flex-col gap-1.5 text-sm font-medium">
            {label}
            {isLong ? (
              <textarea name={name} rows={2} className={cn(fieldClasses, 'py-2 font-normal')} />
            ) : isFile ? (
              <input
                name={name}
                type="file"
                accept="image/png,image/jpeg,image/webp"
                className={cn(fieldClasses, 'h-auto py-2 font-normal')}
              />
            ) : (
              <input
                name={name}
                autoComplete="off"
                onChange={(event) => isNumber && setAmount(event.target.value.trim())}
                className={cn(fieldClasses, 'h-10 font-mono font-normal')}
              />
            )}
          </label>
        ))}
        <label className="flex flex-col gap-1.5 text-sm font-medium">
          Reason
          <textarea
            name="reason"
            rows={3}
            aria-describedby="act-note act-problem"
            className={cn(fieldClasses, 'py-2 font-normal')}
          />
        </label>
        <p id="act-note" className="text-sm text-muted">
          At least 8 characters. It goes into the log and is not shown to the account.
        </p>
        <p id="act-problem" role="alert" className="text-sm text-safelight-ink empty:hidden">
          {problem}
        </p>
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="outline" onClick={onClose}>
            {isOver ? 'Close and look again' : 'Do nothing'}
          </Button>
          {!isOver && (
            <Button
              type="submit"
              disabled={isBusy}
              focusableWhenDisabled
              className="h-auto! min-h-10 shrink! py-2 whitespace-normal!"
            >
              {isBusy ? 'Doing it…' : button}
            </Button>
          )}
        </div>
      </form>
    </ModalDialog>
  )
}

/** An image goes ahead of the act that names it: it is kept under its digest, so a repeat is the same. */
async function bring(offer: ActOffer, form: FormData) {
  const field = offer.fields.find(({ isFile }) => isFile === true)
  if (!field) return {}
  const file = form.get(field.name)
  if (!(file instanceof File) || file.size === 0) return { problem: 'Choose the image first.' }
  return bringImage(String(offer.asks['attemptId']), file)
}
