'use client'

import { useState, type SubmitEvent } from 'react'
import { setSpendingLimitAction } from '@/app/(app)/credits/actions'
import { creditWords } from '@/lib/web/credit-words'
import { formText } from '@/lib/web/form-text'
import { toast } from '@/lib/web/toast'
import type { SpendingView } from '@/lib/web/views'
import { Button } from './ui/button'
import { Input } from './ui/input'

/** What somebody allows themselves for a day, and how much of it is gone. */
export function SpendingLimit({ spending }: { readonly spending: SpendingView }) {
  const [problem, setProblem] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  const { used, limit } = spending

  const save = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = formText(new FormData(event.currentTarget), 'limit')
    setSaving(true)
    const answer = await setSpendingLimitAction(typed).catch(
      () => ({ ok: false, refusal: { message: 'No answer from the server. Try again.' } }) as const,
    )
    setSaving(false)
    setProblem(answer.ok ? undefined : answer.refusal.message)
    if (!answer.ok) return
    toast.success(answer.value.limit === null ? 'No daily limit' : 'Daily limit saved')
  }

  return (
    <section aria-labelledby="limit-heading" className="rounded-lg border bg-surface p-5">
      <h2 id="limit-heading" className="font-medium">
        Your daily limit
      </h2>
      <p className="mt-1 text-sm text-muted tabular-nums">
        {limit === null
          ? `None set. Today uses ${creditWords(used)} so far, charged or on hold.`
          : `Today uses ${used.toLocaleString('en')} of ${creditWords(limit)}, charged or on hold.`}{' '}
        A day is a UTC day. Free images do not count.
      </p>
      <form onSubmit={(event) => void save(event)} className="mt-4 flex flex-wrap items-end gap-2">
        <label className="flex min-w-0 flex-1 flex-col gap-1.5 text-sm">
          Credits a day, empty for no limit
          <Input
            key={limit ?? 'none'}
            name="limit"
            inputMode="numeric"
            autoComplete="off"
            defaultValue={limit ?? ''}
            aria-invalid={problem !== undefined}
            aria-describedby="limit-note"
            className="font-mono tabular-nums"
          />
        </label>
        <Button type="submit" variant="outline" disabled={isSaving} focusableWhenDisabled>
          {isSaving ? 'Saving…' : 'Save limit'}
        </Button>
      </form>
      <p id="limit-note" role="status" className="mt-1.5 text-sm text-safelight-ink">
        {problem}
      </p>
    </section>
  )
}
