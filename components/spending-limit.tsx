'use client'

import { LIMIT_MAX } from '@/lib/domain/spending-limit'
import { useTranslations } from 'next-intl'
import { useState, type SubmitEvent } from 'react'
import { setSpendingLimitAction } from '@/app/(app)/credits/actions'
import { formText } from '@/lib/web/form-text'
import { toast } from '@/lib/web/toast'
import type { SpendingView } from '@/lib/web/views'
import { Button } from './ui/button'
import { Input } from './ui/input'

type LimitProblem = 'invalid-input' | 'no-account' | 'signed-out' | 'no-answer'

/** What somebody allows themselves for a day, and how much of it is gone. */
export function SpendingLimit({ spending }: { readonly spending: SpendingView }) {
  const t = useTranslations('credits.limit')
  const [problem, setProblem] = useState<LimitProblem>()
  const [isSaving, setSaving] = useState(false)
  const { used, limit } = spending

  const save = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = formText(new FormData(event.currentTarget), 'limit')
    setSaving(true)
    const answer = await setSpendingLimitAction(typed).catch(
      () => ({ ok: false, refusal: { code: 'no-answer' } }) as const,
    )
    setSaving(false)
    setProblem(answer.ok ? undefined : answer.refusal.code)
    if (!answer.ok) return
    toast.success(t(answer.value.limit === null ? 'removed' : 'saved'))
  }

  return (
    <section aria-labelledby="limit-heading" className="rounded-lg border bg-surface p-5">
      <h2 id="limit-heading" className="font-medium">
        {t('title')}
      </h2>
      <p className="mt-1 text-sm text-muted tabular-nums">
        {limit === null ? t('none', { used }) : t('some', { used, limit })} {t('rule')}
      </p>
      <form onSubmit={(event) => void save(event)} className="mt-4 flex flex-wrap items-end gap-2">
        <label className="flex min-w-0 flex-1 flex-col gap-1.5 text-sm">
          {t('field')}
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
          {t(isSaving ? 'saving' : 'save')}
        </Button>
      </form>
      <p id="limit-note" role="status" className="mt-1.5 text-sm text-safelight-ink">
        {problem && t(`problem.${problem}`, { max: LIMIT_MAX })}
      </p>
    </section>
  )
}
