'use client'

import { useTranslations } from 'next-intl'
import { Dices } from 'lucide-react'
import { useState } from 'react'
import { parseSeed } from '@/lib/domain/seed'
import { nthSeed, type SeedChoice } from '@/lib/web/draft'
import { Choice } from './choice'
import { Button } from './ui/button'
import { Input } from './ui/input'

type SeedFieldProps = {
  readonly seed: SeedChoice
  readonly images: number
  readonly drawSeed: () => number
  readonly onChange: (seed: SeedChoice) => void
}

/** Random: a new seed for each press. Fixed: the same seed, and with the same input the same picture. */
export function SeedField({ seed, images, drawSeed, onChange }: SeedFieldProps) {
  const t = useTranslations('studio.seed')
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium">{t('label')}</legend>
      <div className="grid grid-cols-2 gap-2 text-center text-sm">
        <Choice
          name="seed"
          value="random"
          isChosen={seed.kind === 'random'}
          onChoose={() => onChange({ kind: 'random' })}
          className="py-2"
        >
          {t('random')}
        </Choice>
        <Choice
          name="seed"
          value="fixed"
          isChosen={seed.kind === 'fixed'}
          onChoose={() => onChange({ kind: 'fixed', seed: drawSeed() })}
          className="py-2"
        >
          {t('fixed')}
        </Choice>
      </div>
      {seed.kind === 'fixed' && (
        <FixedSeed
          seed={seed.seed}
          onChange={(value) => onChange({ kind: 'fixed', seed: value })}
          drawSeed={drawSeed}
        />
      )}
      {seed.kind === 'fixed' && images > 1 && (
        <p className="mt-1.5 text-[0.8125rem] text-muted tabular-nums">
          {t('each', {
            first: String(seed.seed),
            last: String(nthSeed(seed.seed, images - 1)),
          })}
        </p>
      )}
    </fieldset>
  )
}

type FixedSeedProps = {
  readonly seed: number
  readonly drawSeed: () => number
  readonly onChange: (seed: number) => void
}

function FixedSeed({ seed, drawSeed, onChange }: FixedSeedProps) {
  const t = useTranslations('studio.seed')
  const [text, setText] = useState(String(seed))
  const isWrong = parseSeed(text) === undefined
  // Kept with each keystroke: what stands in the field is what the next press sends.
  const type = (typed: string) => {
    setText(typed)
    const parsed = parseSeed(typed)
    if (parsed !== undefined) onChange(parsed)
  }
  return (
    <div className="mt-2">
      <div className="flex gap-2">
        <Input
          aria-label={t('field')}
          aria-invalid={isWrong}
          aria-describedby={isWrong ? 'seed-problem' : undefined}
          inputMode="numeric"
          autoComplete="off"
          value={text}
          onChange={(event) => type(event.target.value)}
          className="font-mono tabular-nums"
        />
        <Button
          variant="outline"
          size="icon"
          aria-label={t('draw')}
          onClick={() => type(String(drawSeed()))}
        >
          <Dices aria-hidden="true" />
        </Button>
      </div>
      {isWrong && (
        <p id="seed-problem" className="mt-1.5 text-sm text-safelight-ink">
          {t('wrong', { seed: String(seed) })}
        </p>
      )}
    </div>
  )
}
