'use client'

import { useTranslations } from 'next-intl'
import { qualityWords } from '@/lib/web/quality-words'
import { useWords } from '@/lib/web/use-words'
import { Choice } from './choice'

type QualityPickerProps = {
  readonly qualities: readonly string[]
  readonly chosen: string | undefined
  readonly onChoose: (quality: string) => void
}

/** The qualities that the model offers at its one price. Nothing where there is no choice. */
export function QualityPicker({ qualities, chosen, onChoose }: QualityPickerProps) {
  const t = useTranslations('studio.quality')
  const say = useWords()
  if (qualities.length < 2) return null
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium">{t('label')}</legend>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(6rem,1fr))] gap-2 text-center text-sm">
        {qualities.map((quality) => (
          <Choice
            key={quality}
            name="quality"
            value={quality}
            isChosen={quality === chosen}
            onChoose={() => onChoose(quality)}
            className="flex min-h-10 items-center justify-center px-2 py-2 first-letter:uppercase"
          >
            <span className="first-letter:uppercase">{say(qualityWords(quality))}</span>
          </Choice>
        ))}
      </div>
    </fieldset>
  )
}
