'use client'

import type { Model } from '@/lib/domain/model'
import { creditWords } from '@/lib/web/credit-words'
import { Choice } from './choice'

type ModelPickerProps = {
  readonly models: readonly Model[]
  readonly chosen: Model
  readonly onChoose: (model: Model) => void
}

export function ModelPicker({ models, chosen, onChoose }: ModelPickerProps) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 text-sm font-medium">Model</legend>
      {models.map((model) => (
        <Choice
          key={model.id}
          name="model"
          value={model.id}
          isChosen={model.id === chosen.id}
          onChoose={() => onChoose(model)}
          className="px-3.5 py-2.5"
        >
          <span className="flex items-baseline justify-between gap-3">
            <span className="text-sm font-medium">{model.name}</span>
            <span className="text-sm whitespace-nowrap tabular-nums">
              {creditWords(model.priceCredits)}
            </span>
          </span>
          <span className="mt-0.5 block text-[0.8125rem] leading-snug text-muted">
            {model.description}
          </span>
        </Choice>
      ))}
    </fieldset>
  )
}
