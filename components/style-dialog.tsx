'use client'

import { useTranslations } from 'next-intl'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { browserStorage } from '@/lib/web/browser-storage'
import { cn } from '@/lib/web/class-names'
import type { Draft } from '@/lib/web/draft'
import {
  createPresetStore,
  PRESET_NAME_MAX,
  PRESETS_MAX,
  settingsToKeep,
  type PresetSettings,
} from '@/lib/web/presets'
import { hasStyle, promptStyles, withStyle } from '@/lib/web/prompt-style'
import { useDarkroom } from '@/lib/web/use-darkroom'
import { Button } from './ui/button'
import { Dialog } from './ui/dialog'
import { Input } from './ui/input'

type StyleDialogProps = {
  readonly draft: Draft
  readonly onEdit: (change: Partial<Draft>) => void
  readonly onClose: () => void
}

/** Words for the prompt, and settings to come back to. Choosing either fills the studio, and buys nothing. */
export function StyleDialog({ draft, onEdit, onClose }: StyleDialogProps) {
  const t = useTranslations('studio.styles')
  const choose = (change: Partial<Draft>) => {
    onEdit(change)
    onClose()
  }
  return (
    <Dialog title={t('title')} onClose={onClose}>
      <div className="-mx-2 flex min-h-0 flex-col gap-5 overflow-y-auto px-2 pb-1">
        <Styles prompt={draft.prompt} onChoose={(prompt) => choose({ prompt })} />
        <Presets draft={draft} onChoose={choose} />
      </div>
    </Dialog>
  )
}

type StylesProps = { readonly prompt: string; readonly onChoose: (prompt: string) => void }

function Styles({ prompt, onChoose }: StylesProps) {
  const t = useTranslations('studio.styles')
  const every = promptStyles.map((style) => t(`${style}.words`))
  return (
    <section aria-labelledby="styles-note" className="flex flex-col gap-2">
      <p id="styles-note" className="text-sm text-muted">
        {t('note')}
      </p>
      <ul className="grid gap-2 sm:grid-cols-2">
        {promptStyles.map((style) => {
          const words = t(`${style}.words`)
          const isChosen = hasStyle(prompt, words)
          return (
            <li key={style} className="flex">
              <button
                type="button"
                aria-pressed={isChosen}
                onClick={() => onChoose(withStyle(prompt, isChosen ? undefined : words, every))}
                className={cn(
                  'min-h-11 w-full rounded-md border px-3 py-2 text-start text-sm transition-colors hover:border-muted',
                  isChosen ? 'border-foreground ring-1 ring-foreground' : 'border-line-strong/60',
                )}
              >
                {t(`${style}.name`)}
                <span className="block text-[0.8125rem] leading-snug text-muted">{words}</span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

type PresetsProps = {
  readonly draft: Draft
  readonly onChoose: (settings: PresetSettings) => void
}

function Presets({ draft, onChoose }: PresetsProps) {
  const t = useTranslations('studio.presets')
  const { accountId } = useDarkroom()
  const [store] = useState(() => createPresetStore(browserStorage(), accountId))
  const [presets, setPresets] = useState(() => store.read())
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<'full' | 'not-stored'>()
  const keep = () => {
    const outcome = store.keep({ name: name.trim(), settings: settingsToKeep(draft) })
    setProblem(outcome === 'kept' ? undefined : outcome)
    setPresets(store.read())
    if (outcome === 'kept') setName('')
  }
  return (
    <section aria-labelledby="presets-heading" className="flex flex-col gap-2">
      <h3 id="presets-heading" className="text-sm font-medium">
        {t('title')}
      </h3>
      <p className="text-sm text-muted">{t('note')}</p>
      {presets.length > 0 && (
        <ul className="flex flex-col">
          {presets.map((preset) => (
            <li key={preset.name} className="flex items-center gap-1 border-b">
              <button
                type="button"
                dir="auto"
                className="min-h-11 min-w-0 flex-1 rounded-md px-2 py-2 text-start text-sm break-words hover:bg-raised"
                onClick={() => onChoose(preset.settings)}
              >
                {preset.name}
                <span className="block text-[0.8125rem] text-muted">
                  {`${preset.settings.width} × ${preset.settings.height}`}
                </span>
              </button>
              <Button
                variant="ghost"
                size="icon"
                aria-label={t('remove', { name: preset.name })}
                onClick={() => {
                  store.remove(preset.name)
                  setPresets(store.read())
                }}
              >
                <Trash2 aria-hidden="true" />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form
        className="flex gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') keep()
        }}
      >
        <Input
          aria-label={t('name')}
          placeholder={t('name')}
          maxLength={PRESET_NAME_MAX}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" variant="outline" disabled={name.trim() === ''} focusableWhenDisabled>
          {t('keep')}
        </Button>
      </form>
      <p role="status" className="text-sm text-safelight-ink empty:hidden">
        {problem && t(`problem.${problem}`, { most: PRESETS_MAX })}
      </p>
    </section>
  )
}
