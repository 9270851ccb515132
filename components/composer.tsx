'use client'

import { useTranslations } from 'next-intl'
import { qualityWords } from '@/lib/web/quality-words'
import { message, type Words } from '@/lib/web/message'
import { useWords } from '@/lib/web/use-words'
import { lazy, Suspense, type KeyboardEvent } from 'react'
import type { OfferedModel } from '@/lib/domain/model'
import type { Draft } from '@/lib/web/draft'
import type { GenerateButton } from '@/lib/web/generate-button'
import { isSubmitShortcut } from '@/lib/web/press'
import { drawSeed, useComposer } from '@/lib/web/use-composer'
import { useHydrated } from '@/lib/web/use-hydrated'
import { CountPicker } from './count-picker'
import { GenerateBar } from './generate-bar'
import { ModelPicker } from './model-picker'
import { NegativePromptField } from './negative-prompt-field'
import { PromptField } from './prompt-field'
import { QualityPicker } from './quality-picker'
import { SeedField } from './seed-field'
import { SettingsPanel } from './settings-panel'
import { SizePicker } from './size-picker'
import { StudioTools } from './studio-tools'

// Most models take none.
const ReferencePicker = lazy(async () => ({
  default: (await import('./reference-picker')).ReferencePicker,
}))

type ComposerProps = { readonly models: readonly OfferedModel[] }

/** Composes a generation, and presses once for each press. Deliberately no form: nothing submits it but the button. */
export function Composer({ models }: ComposerProps) {
  const t = useTranslations('studio')
  const say = useWords()
  const isHydrated = useHydrated()
  const composer = useComposer(models)
  if (!composer) {
    return <p className="text-sm">{t('noModel')}</p>
  }
  const { draft, model, button, edit, press } = composer
  const hint = hintOf(button, draft)
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, repeat } = event
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- only it tells in Safari that an input method uses the key.
    const { keyCode } = event
    const { isComposing } = event.nativeEvent
    if (!isSubmitShortcut({ key, keyCode, ctrlKey, metaKey, repeat, isComposing })) return
    event.preventDefault()
    if (button.allowsShortcut) press()
  }

  return (
    <section aria-label={t('compose')} onKeyDown={onKeyDown} className="flex flex-col gap-5">
      <PromptField
        prompt={draft.prompt}
        model={model}
        isReadOnly={!isHydrated}
        onChange={(prompt) => edit({ prompt })}
      />
      <div className="flex flex-col gap-3">
        <CountPicker images={draft.images} onChoose={(images) => edit({ images })} />
        <GenerateBar
          button={button}
          isReady={isHydrated}
          problem={composer.problem && say(composer.problem)}
          hint={hint && t(`hint.${hint}`)}
          onPress={press}
          onReduce={(images) => edit({ images })}
        />
      </div>
      <LeftOut sentences={composer.leftOut.map(say)} />
      <SettingsPanel summary={summaryOf(model, draft, say)}>
        <ModelPicker
          models={models}
          chosen={model}
          isReady={isHydrated}
          onChoose={({ id }) => edit({ model: id })}
        />
        <SizePicker model={model} chosen={draft} onChoose={(size) => edit(size)} />
        <QualityPicker
          qualities={model.qualities}
          chosen={draft.quality}
          onChoose={(quality) => edit({ quality })}
        />
        {model.referenceImagesMax > 0 && (
          <Suspense>
            <ReferencePicker
              chosen={draft.referenceImages}
              most={model.referenceImagesMax}
              onChange={(referenceImages) => edit({ referenceImages })}
            />
          </Suspense>
        )}
        {model.seed && (
          <SeedField
            seed={draft.seed}
            images={draft.images}
            drawSeed={drawSeed}
            onChange={(seed) => edit({ seed })}
          />
        )}
        {model.negativePrompt && (
          <NegativePromptField
            text={draft.negativePrompt}
            isReadOnly={!isHydrated}
            onChange={(negativePrompt) => edit({ negativePrompt })}
          />
        )}
      </SettingsPanel>
      <StudioTools draft={draft} onEdit={edit} />
    </section>
  )
}

/** Said where the next press is, for it says what that press does not send. */
function LeftOut({ sentences }: { readonly sentences: readonly string[] }) {
  return (
    <div role="status" className={sentences.length === 0 ? 'hidden' : 'border-l-2 pl-3'}>
      {sentences.map((sentence) => (
        <p key={sentence} className="text-sm leading-snug break-words">
          {sentence}
        </p>
      ))}
    </div>
  )
}

function summaryOf(
  model: OfferedModel,
  { width, height, seed, quality }: Draft,
  say: Words,
): string {
  const seedWords =
    seed.kind === 'random'
      ? message('studio.settings.randomSeed')
      : message('studio.settings.seed', { seed: String(seed.seed) })
  return [
    model.name,
    `${width} × ${height}`,
    ...(quality === undefined ? [] : [say(qualityWords(quality))]),
    ...(model.seed ? [say(seedWords)] : []),
  ].join(', ')
}

function hintOf({ isEnabled, allowsShortcut }: GenerateButton, { images, seed }: Draft) {
  if (!isEnabled) return undefined
  if (allowsShortcut) return images === 1 ? 'shortcut' : 'several'
  return seed.kind === 'random' ? 'anotherRandom' : 'anotherFixed'
}
