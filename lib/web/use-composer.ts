import type { Message } from './message'
import { useWords } from './use-words'
import { useState } from 'react'
import { newRequestId } from './request-id'
import type { OfferedModel } from '@/lib/domain/model'
import { findModel } from '@/lib/domain/model'
import { fitDraft, leftOutWords, type Draft } from './draft'
import { generateButton, type GenerateButton } from './generate-button'
import { hasOpenTwin, pressGenerate } from './press'
import { useAttempts, useConnection, useDarkroom, useDraft, useOutbox } from './use-darkroom'

export const drawSeed = () => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0

export type Composer = {
  /** As it can be made today. */
  readonly draft: Draft
  readonly model: OfferedModel
  readonly button: GenerateButton
  /** Why the last press did nothing. */
  readonly problem: Message | undefined
  /** What of the draft is not sent, and why. */
  readonly leftOut: readonly Message[]
  readonly edit: (change: Partial<Draft>) => void
  readonly press: () => void
}

/** The draft, what the Generate button says of it, and the press. Undefined when no model is offered. */
export function useComposer(models: readonly OfferedModel[]): Composer | undefined {
  const { outbox, sender, isGuest, draft: drafts } = useDarkroom()
  const wish = useDraft()
  const { attempts, balance } = useAttempts()
  const { phases } = useOutbox()
  const connection = useConnection()
  const say = useWords()
  const [problem, setProblem] = useState<Message>()
  const draft = fitDraft(wish, models)
  const model = draft && findModel(models, draft.model)
  if (!draft || !model) return undefined

  const kinds = [...phases.values()].map(({ kind }) => kind)
  const button = generateButton(
    {
      draft,
      model,
      available: balance.available,
      freeToday: balance.allowance.remaining,
      isGuest,
      isSignedOut: connection === 'signed-out',
      isSending: kinds.includes('sending'),
      isJustQueued: kinds.includes('queued'),
      isAgain: hasOpenTwin(draft, model, attempts),
    },
    say,
  )
  return {
    draft,
    model,
    button,
    problem,
    leftOut: leftOutWords(wish, draft, model, say),
    edit: (change) => {
      setProblem(undefined)
      // The wish is kept, not what it was fitted to: with the next model it may be met.
      drafts.write({ ...(wish ?? draft), ...change })
    },
    press: () => {
      if (!button.isEnabled) return
      const now = () => new Date()
      const outcome = pressGenerate({
        draft,
        model,
        quotedCredits: button.quotedCredits,
        outbox,
        sender,
        newId: newRequestId,
        drawSeed,
        now,
      })
      setProblem(outcome.kind === 'refused' ? outcome.message : undefined)
    },
  }
}
