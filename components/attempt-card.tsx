'use client'

import { useTranslations } from 'next-intl'
import { useWords } from '@/lib/web/use-words'
import Link from 'next/link'
import type { OfferedModel } from '@/lib/domain/model'
import { attemptWords } from '@/lib/web/attempt-words'
import { useLiveAttempt } from '@/lib/web/use-darkroom'
import type { AttemptView } from '@/lib/web/views'
import { AttemptAccount } from './attempt-account'
import { AttemptActions } from './attempt-actions'
import { AttemptClock, AttemptPace } from './attempt-clock'
import { AttemptPicture } from './attempt-picture'
import { StatusMark } from './status-mark'

type AttemptCardProps = {
  readonly attempt: AttemptView
  /** Undefined when it is not offered any more. */
  readonly model: OfferedModel | undefined
  readonly isPriority?: boolean
}

// One card to a row on a phone, as many as fit elsewhere.
const FRAME_SIDE = { wide: '18rem', narrow: '92vw' } as const

export function AttemptCard({ attempt: rendered, model, isPriority }: AttemptCardProps) {
  const t = useTranslations('attempt')
  const say = useWords()
  const attempt = useLiveAttempt(rendered)
  const { prompt, status } = attempt
  return (
    <article
      data-attempt-id={attempt.id}
      data-status={status}
      className="flex flex-col overflow-hidden rounded-lg border bg-surface"
    >
      <Link
        href={`/images/${attempt.id}`}
        aria-label={t('picture.open', { prompt })}
        className="block outline-offset-[-4px] focus-visible:outline-white"
      >
        <AttemptPicture
          attempt={attempt}
          frame="square"
          frameSide={FRAME_SIDE}
          isPriority={isPriority ?? false}
        />
      </Link>
      <div className="flex flex-1 flex-col gap-2.5 p-3.5">
        <div className="flex items-center justify-between gap-3">
          <StatusMark status={status} />
          <AttemptClock attempt={attempt} />
        </div>
        <p dir="auto" className="line-clamp-2 text-sm leading-snug break-words select-text">
          {prompt}
        </p>
        {status === 'delivered' ? (
          <p className="text-sm text-muted tabular-nums">{say(attemptWords(attempt).money)}</p>
        ) : (
          <>
            <AttemptAccount attempt={attempt} />
            <AttemptPace attempt={attempt} model={model} />
            <AttemptActions attempt={attempt} model={model} />
          </>
        )}
        <p className="mt-auto pt-1 edge-print text-muted">
          {madeWith(attempt, model?.name, (seed) => t('seed', { seed }))}
        </p>
      </div>
    </article>
  )
}

function madeWith(
  { model, settings }: AttemptView,
  name = model,
  seedWords: (seed: string) => string,
): string {
  const { width, height, quality, seed } = settings
  return [
    name,
    `${width}×${height}`,
    ...(quality === undefined ? [] : [quality]),
    ...(seed === undefined ? [] : [seedWords(String(seed))]),
  ].join(' · ')
}
