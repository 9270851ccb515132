'use client'

import { useState, type KeyboardEvent } from 'react'
import { v4 as newId } from 'uuid'
import type { Model } from '@/lib/domain/model'
import { findModel } from '@/lib/domain/model'
import { fitDraft, type Draft } from '@/lib/web/draft'
import { generateButton, hasOpenTwin, isSubmitShortcut, pressGenerate } from '@/lib/web/press'
import {
  useAttempts,
  useConnection,
  useDarkroom,
  useDraft,
  useOutbox,
} from '@/lib/web/use-darkroom'
import { useHydrated } from '@/lib/web/use-hydrated'
import { GenerateBar } from './generate-bar'
import { ModelPicker } from './model-picker'
import { PromptField } from './prompt-field'
import { SeedField } from './seed-field'
import { SettingsPanel } from './settings-panel'
import { SizePicker } from './size-picker'

const drawSeed = () => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0

type ComposerProps = { readonly models: readonly Model[]; readonly isGuest: boolean }

/** Composes a generation, and presses once for each press. Deliberately no form: nothing submits it but the button. */
export function Composer({ models, isGuest }: ComposerProps) {
  const { outbox, sender, draft: drafts } = useDarkroom()
  const isHydrated = useHydrated()
  const draft = fitDraft(useDraft(), models)
  const { attempts, balance } = useAttempts()
  const { phases } = useOutbox()
  const connection = useConnection()
  const [problem, setProblem] = useState<string>()
  const model = draft && findModel(models, draft.model)
  if (!draft || !model) {
    return <p className="text-sm">No model is offered just now. Nothing can be generated.</p>
  }

  const kinds = [...phases.values()].map(({ kind }) => kind)
  const button = generateButton({
    draft,
    price: model.priceCredits,
    available: balance.available,
    freeToday: balance.allowance.remaining,
    isGuest,
    isSignedOut: connection === 'signed-out',
    isSending: kinds.includes('sending'),
    isJustQueued: kinds.includes('queued'),
    isAgain: hasOpenTwin(draft, attempts),
  })
  const edit = (change: Partial<Draft>) => {
    setProblem(undefined)
    drafts.write({ ...draft, ...change })
  }
  const press = () => {
    if (!button.isEnabled) return
    const now = () => new Date()
    const outcome = pressGenerate({ draft, outbox, sender, newId, drawSeed, now })
    setProblem(outcome.kind === 'refused' ? outcome.message : undefined)
  }
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
    <section aria-label="Compose" onKeyDown={onKeyDown} className="flex flex-col gap-5">
      <PromptField
        prompt={draft.prompt}
        isReadOnly={!isHydrated}
        onChange={(prompt) => edit({ prompt })}
      />
      <GenerateBar
        button={button}
        isReady={isHydrated}
        problem={problem}
        hint={hintOf(button, draft)}
        onPress={press}
      />
      <SettingsPanel summary={summaryOf(model, draft)}>
        <ModelPicker
          models={models}
          chosen={model}
          onChoose={({ id }) => {
            const fitted = fitDraft({ ...draft, model: id }, models)
            if (fitted) edit(fitted)
          }}
        />
        <SizePicker model={model} chosen={draft} onChoose={(size) => edit(size)} />
        <SeedField seed={draft.seed} drawSeed={drawSeed} onChange={(seed) => edit({ seed })} />
      </SettingsPanel>
    </section>
  )
}

function summaryOf({ name }: Model, { width, height, seed }: Draft): string {
  const seedWords = seed.kind === 'random' ? 'random seed' : `seed ${seed.seed}`
  return `${name}, ${width} × ${height}, ${seedWords}`
}

function hintOf({ isEnabled, allowsShortcut }: ReturnType<typeof generateButton>, draft: Draft) {
  if (!isEnabled) return undefined
  if (allowsShortcut) return 'Ctrl or ⌘ + Enter generates. Enter is a new line.'
  return draft.seed.kind === 'random'
    ? 'One like this is under way. Click to buy another with a new seed.'
    : 'This very picture is under way. Click only if you want to buy it again.'
}
