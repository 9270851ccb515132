'use client'

import { useTranslations } from 'next-intl'
import type { GenerateButton } from '@/lib/web/generate-button'
import { Button } from './ui/button'

type GenerateBarProps = {
  readonly button: GenerateButton
  /** False until the page can act. It looks the same, and does not yet answer. */
  readonly isReady: boolean
  readonly problem: string | undefined
  readonly hint: string | undefined
  readonly onPress: () => void
  readonly onReduce: (images: number) => void
}

export function GenerateBar(props: GenerateBarProps) {
  const { button, isReady, problem, hint, onPress, onReduce } = props
  const t = useTranslations('studio.cost')
  const { enoughFor } = button
  return (
    <div className="flex flex-col gap-2">
      <Button
        size="large"
        className="h-auto! min-h-12 w-full py-2 leading-tight text-balance whitespace-normal! tabular-nums"
        focusableWhenDisabled
        disabled={!button.isEnabled || !isReady}
        aria-describedby="generate-note"
        onKeyDown={(event) => {
          // A key that is held down would click again and again.
          if (event.repeat) event.preventDefault()
        }}
        onClick={(event) => {
          // The second and third click of a double and triple click.
          if (event.detail <= 1) onPress()
        }}
      >
        {button.label}
      </Button>
      {problem !== undefined && (
        <p role="alert" className="text-sm font-medium text-safelight-ink">
          {problem}
        </p>
      )}
      <p id="generate-note" className="min-h-10 text-sm leading-snug text-muted tabular-nums">
        {button.reason ?? hint}
      </p>
      {enoughFor !== undefined && (
        <Button variant="outline" className="self-start" onClick={() => onReduce(enoughFor)}>
          {t('reduce', { images: enoughFor })}
        </Button>
      )}
    </div>
  )
}
