'use client'

import type { Message } from '@/lib/web/message'
import { useTranslations } from 'next-intl'
import { useWords } from '@/lib/web/use-words'
import { useState, type ReactNode } from 'react'
import { newRequestId } from '@/lib/web/request-id'
import type { OfferedModel } from '@/lib/domain/model'
import { actWords, type ActOutcome } from '@/lib/web/attempt-acts'
import { canCancel } from '@/lib/web/attempt-words'
import { draftOf } from '@/lib/web/draft'
import { againButton } from '@/lib/web/generate-button'
import { pressAgain } from '@/lib/web/press'
import { canLookAgain } from '@/lib/web/time-words'
import { useAttempts, useConnection, useDarkroom, useOutbox } from '@/lib/web/use-darkroom'
import { useNow } from '@/lib/web/use-now'
import type { AttemptView } from '@/lib/web/views'
import { Button } from './ui/button'

type AttemptActionsProps = {
  readonly attempt: AttemptView
  /** Undefined when it is not offered any more. */
  readonly model: OfferedModel | undefined
}

/** What its owner can do about an attempt whose outcome is open, and nothing that would do nothing. */
export function AttemptActions({ attempt, model }: AttemptActionsProps) {
  const t = useTranslations('attempt.act')
  const { cancel, lookAgain } = useDarkroom()
  const now = useNow()
  const offersCancel = canCancel(attempt)
  const offersLook = now !== undefined && canLookAgain(attempt, now)
  const offersAgain = attempt.status === 'unresolved'
  if (!offersCancel && !offersLook && !offersAgain) return null
  return (
    <div className="flex flex-wrap gap-2">
      {offersCancel && <ActButton act={() => cancel(attempt.id)}>{t('cancel')}</ActButton>}
      {offersLook && <ActButton act={() => lookAgain(attempt.id)}>{t('lookAgain')}</ActButton>}
      {offersAgain && <AgainButton attempt={attempt} model={model} />}
    </div>
  )
}

type ActButtonProps = { readonly act: () => Promise<ActOutcome>; readonly children: ReactNode }

/** Asks once at a time, and says when no answer came. */
function ActButton({ act, children }: ActButtonProps) {
  const say = useWords()
  const [phase, setPhase] = useState<ActOutcome | 'asking'>('done')
  const ask = async () => {
    if (phase === 'asking') return
    setPhase('asking')
    setPhase(await act())
  }
  return (
    <>
      <Button
        variant="outline"
        focusableWhenDisabled
        disabled={phase === 'asking'}
        onClick={() => void ask()}
      >
        {children}
      </Button>
      {phase !== 'asking' && phase !== 'done' && (
        <p role="alert" className="basis-full text-sm leading-snug text-safelight-ink">
          {say(actWords[phase])}
        </p>
      )}
    </>
  )
}

/** Fills nothing, and sends nothing but on its own press. */
function AgainButton({ attempt, model }: AttemptActionsProps) {
  const t = useTranslations('attempt.act')
  const say = useWords()
  const { outbox, sender, isGuest } = useDarkroom()
  const { balance } = useAttempts()
  const { phases } = useOutbox()
  const connection = useConnection()
  const [problem, setProblem] = useState<Message>()
  const kinds = [...phases.values()].map(({ kind }) => kind)
  const { label, isEnabled, reason, quotedCredits } = againButton(
    {
      draft: draftOf(attempt),
      model,
      available: balance.available,
      freeToday: balance.allowance.remaining,
      isGuest,
      isSignedOut: connection === 'signed-out',
      isSending: kinds.includes('sending'),
      isJustQueued: kinds.includes('queued'),
      isAgain: false,
    },
    say,
  )
  const press = () => {
    if (!isEnabled) return
    const { prompt, settings } = attempt
    const generation = { model: attempt.model, prompt, settings }
    const outcome = pressAgain({
      generation,
      quotedCredits,
      outbox,
      sender,
      newId: newRequestId,
      now: () => new Date(),
    })
    setProblem(outcome.kind === 'refused' ? outcome.message : undefined)
  }
  return (
    <div className="flex basis-full flex-col items-start gap-1.5">
      <Button
        variant="outline"
        className="h-auto! min-h-10 py-2 text-left leading-tight whitespace-normal! tabular-nums"
        focusableWhenDisabled
        disabled={!isEnabled}
        onKeyDown={(event) => {
          if (event.repeat) event.preventDefault()
        }}
        onClick={({ detail }) => {
          if (detail <= 1) press()
        }}
      >
        {label}
      </Button>
      <p className="text-[0.8125rem] leading-snug text-muted">{reason ?? t('mayArrive')}</p>
      {problem !== undefined && (
        <p role="alert" className="text-sm text-safelight-ink">
          {say(problem)}
        </p>
      )}
    </div>
  )
}
