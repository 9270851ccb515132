'use client'

import { useTranslations } from 'next-intl'
import { useWords } from '@/lib/web/use-words'
import { useRef, useState } from 'react'
import type { OfferedModel } from '@/lib/domain/model'
import { groupModels, searchModels } from '@/lib/web/model-words'
import { ModelChoice, ModelSummary } from './model-choice'
import { Button } from './ui/button'
import { Input } from './ui/input'

// So many are read at a glance. More are searched.
const GLANCE_MAX = 5

type ModelPickerProps = {
  readonly models: readonly OfferedModel[]
  readonly chosen: OfferedModel
  readonly isReady: boolean
  readonly onChoose: (model: OfferedModel) => void
}

export function ModelPicker(props: ModelPickerProps) {
  const { models, chosen, onChoose } = props
  const t = useTranslations('studio.model')
  if (models.length > GLANCE_MAX) return <SearchedModels {...props} />
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 text-sm font-medium">{t('label')}</legend>
      {models.map((model) => (
        <ModelChoice
          key={model.id}
          model={model}
          isChosen={model.id === chosen.id}
          onChoose={() => onChoose(model)}
        />
      ))}
    </fieldset>
  )
}

/** The chosen one, and all others behind a button, by provider and searchable. */
function SearchedModels({ models, chosen, isReady, onChoose }: ModelPickerProps) {
  const t = useTranslations('studio.model')
  const say = useWords()
  const [isOpen, setOpen] = useState(false)
  const [query, setQuery] = useState('')
  const toggle = useRef<HTMLButtonElement>(null)
  const groups = groupModels(searchModels(models, query, say))
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-2 text-sm font-medium">{t('label')}</legend>
      <ModelSummary
        model={chosen}
        showsProvider
        className="rounded-md border border-foreground px-3.5 py-2.5"
      />
      <Button
        ref={toggle}
        variant="outline"
        aria-expanded={isOpen}
        aria-controls="models"
        disabled={!isReady}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? t('close') : t('choose', { count: models.length })}
      </Button>
      {isOpen && (
        <div id="models" className="flex flex-col gap-2 rounded-md border bg-background p-2">
          <Input
            type="search"
            autoFocus
            aria-label={t('search')}
            placeholder={t('searchHint')}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
          <div
            className="flex max-h-96 flex-col gap-4 overflow-y-auto p-1"
            onClick={({ detail, target }) => {
              // A hand has chosen and is done. Arrow keys choose one after the other.
              if (detail === 0 || !(target instanceof HTMLInputElement)) return
              setOpen(false)
              toggle.current?.focus()
            }}
          >
            {groups.map((group) => (
              <div key={group.title} role="group" aria-label={group.title}>
                <p aria-hidden="true" className="mb-1.5 edge-print text-muted">
                  {group.title}
                </p>
                <div className="flex flex-col gap-2">
                  {group.models.map((model) => (
                    <ModelChoice
                      key={model.id}
                      model={model}
                      isChosen={model.id === chosen.id}
                      onChoose={() => onChoose(model)}
                    />
                  ))}
                </div>
              </div>
            ))}
            {groups.length === 0 && <p className="p-2 text-sm">{t('none')}</p>}
          </div>
        </div>
      )}
    </fieldset>
  )
}
