'use client'

import { useTranslations } from 'next-intl'
import { useWords } from '@/lib/web/use-words'
import { imageWords } from '@/lib/web/credit-words'
import { IMAGES_MAX } from '@/lib/web/draft'
import { Choice } from './choice'

type CountPickerProps = {
  readonly images: number
  readonly onChoose: (images: number) => void
}

const COUNTS = Array.from({ length: IMAGES_MAX }, (_, index) => index + 1)

/** How many pictures one press asks for. */
export function CountPicker({ images, onChoose }: CountPickerProps) {
  const t = useTranslations('studio.count')
  const say = useWords()
  return (
    <fieldset className="flex min-w-0 items-center justify-between gap-3">
      <legend className="sr-only">{t('legend')}</legend>
      <span aria-hidden="true" className="text-sm font-medium">
        {t('label')}
      </span>
      <div className="grid w-full max-w-56 min-w-0 grid-cols-4 gap-2">
        {COUNTS.map((count) => (
          <Choice
            key={count}
            name="images"
            value={String(count)}
            isChosen={count === images}
            onChoose={() => onChoose(count)}
            className="flex h-10 items-center justify-center font-mono text-sm tabular-nums"
          >
            <span aria-hidden="true">{count}</span>
            <span className="sr-only">{say(imageWords(count))}</span>
          </Choice>
        ))}
      </div>
    </fieldset>
  )
}
