'use client'

import { useTranslations } from 'next-intl'
import { codePointCount, NEGATIVE_PROMPT_CODE_POINTS_MAX } from '@/lib/domain/prompt'
import { cn } from '@/lib/web/class-names'
import { fieldClasses } from './ui/input'

type NegativePromptFieldProps = {
  readonly text: string
  readonly isReadOnly: boolean
  readonly onChange: (text: string) => void
}

/** What should not be in the picture, for models that can be told. */
export function NegativePromptField({ text, isReadOnly, onChange }: NegativePromptFieldProps) {
  const t = useTranslations('studio.negative')
  const isOver = codePointCount(text) > NEGATIVE_PROMPT_CODE_POINTS_MAX
  return (
    <div className="flex flex-col gap-2">
      <label htmlFor="negative-prompt" className="text-sm font-medium">
        {t('label')}
      </label>
      <textarea
        id="negative-prompt"
        dir="auto"
        value={text}
        readOnly={isReadOnly}
        aria-invalid={isOver}
        aria-describedby="negative-prompt-note"
        placeholder={t('placeholder')}
        spellCheck
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
        className={cn(
          fieldClasses,
          'field-sizing-content max-h-40 min-h-16 resize-none py-2.5 leading-relaxed',
        )}
      />
      <p id="negative-prompt-note" className="text-[0.8125rem] text-muted">
        {t('note')}
      </p>
    </div>
  )
}
