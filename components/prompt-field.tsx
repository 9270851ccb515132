'use client'

import { useTranslations } from 'next-intl'
import type { ModelFacts } from '@/lib/domain/model'
import { codePointCount } from '@/lib/domain/prompt'
import { cn } from '@/lib/web/class-names'
import { promptMaxOf } from '@/lib/web/draft-problem'
import { fieldClasses } from './ui/input'

// From here on the end of the space is worth knowing.
const COUNTER_ALERT_SHARE = 0.9

type PromptFieldProps = {
  readonly prompt: string
  /** Whose limit counts. */
  readonly model: ModelFacts
  /** Until the page can keep what is typed, nothing is typed. */
  readonly isReadOnly: boolean
  readonly onChange: (prompt: string) => void
}

export function PromptField({ prompt, model, isReadOnly, onChange }: PromptFieldProps) {
  const t = useTranslations('studio.prompt')
  const count = codePointCount(prompt)
  const most = promptMaxOf(model)
  const isOver = count > most
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor="prompt" className="text-sm font-medium">
          {t('label')}
        </label>
        <span
          id="prompt-count"
          className={cn(
            'font-mono text-xs tabular-nums',
            count >= most * COUNTER_ALERT_SHARE ? 'font-medium' : 'text-muted',
            isOver && 'text-safelight-ink',
          )}
        >
          {t('count', { count, most })}
        </span>
      </div>
      <textarea
        id="prompt"
        dir="auto"
        value={prompt}
        readOnly={isReadOnly}
        aria-describedby="prompt-count"
        aria-invalid={isOver}
        placeholder={t('placeholder')}
        spellCheck
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
        className={cn(
          fieldClasses,
          'field-sizing-content max-h-[45vh] min-h-28 resize-none py-2.5 leading-relaxed sm:text-[0.9375rem]!',
        )}
      />
    </div>
  )
}
