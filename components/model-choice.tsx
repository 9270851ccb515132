import { message } from '@/lib/web/message'
import { useWords } from '@/lib/web/use-words'
import type { OfferedModel } from '@/lib/domain/model'
import { cn } from '@/lib/web/class-names'
import { creditWords } from '@/lib/web/credit-words'
import { abilityWords, usualWords } from '@/lib/web/model-words'
import { Choice } from './choice'

type ModelChoiceProps = {
  readonly model: OfferedModel
  readonly isChosen: boolean
  readonly onChoose: () => void
}

export function ModelChoice({ model, isChosen, onChoose }: ModelChoiceProps) {
  return (
    <Choice
      name="model"
      value={model.id}
      isChosen={isChosen}
      isDisabled={model.unavailable !== undefined}
      onChoose={onChoose}
      className="block px-3.5 py-2.5"
    >
      <ModelSummary model={model} />
    </Choice>
  )
}

type ModelSummaryProps = {
  readonly model: OfferedModel
  /** Where no heading names it. */
  readonly showsProvider?: boolean
  readonly className?: string
}

/** Everything that is worth knowing before it is chosen: what it costs, takes and can do. */
export function ModelSummary({ model, showsProvider = false, className }: ModelSummaryProps) {
  const say = useWords()
  const abilities = abilityWords(model)
  const can = abilities.length === 0 ? '' : ` · ${abilities.map(say).join(', ')}`
  return (
    <span className={cn('block', className)}>
      {showsProvider && (
        <span className="mb-1 block edge-print text-muted">{model.providerTitle}</span>
      )}
      <span className="flex items-baseline justify-between gap-3">
        <span className="text-sm font-medium break-words">{model.name}</span>
        <span className="text-sm whitespace-nowrap tabular-nums">
          {say(creditWords(model.priceCredits))}
        </span>
      </span>
      <span className="mt-0.5 block text-[0.8125rem] leading-snug text-muted">
        {model.description}
      </span>
      <span className="mt-1 block text-xs text-muted tabular-nums">
        {say(usualWords(model.usualSeconds))}
        {can}
      </span>
      {model.unavailable !== undefined && (
        <span className="mt-1.5 block text-[0.8125rem] font-medium text-safelight-ink">
          {say(message('studio.refusal.modelUnavailable'))}
        </span>
      )}
    </span>
  )
}
