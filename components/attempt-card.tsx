'use client'

import Link from 'next/link'
import { attemptWords } from '@/lib/web/attempt-words'
import { useLiveAttempt } from '@/lib/web/use-darkroom'
import type { AttemptView } from '@/lib/web/views'
import { AttemptAccount } from './attempt-account'
import { AttemptClock } from './attempt-clock'
import { AttemptPicture } from './attempt-picture'
import { StatusMark } from './status-mark'

type AttemptCardProps = {
  readonly attempt: AttemptView
  readonly modelName: string
  readonly isPriority?: boolean
}

// One card to a row on a phone, as many as fit elsewhere.
const FRAME_SIDE = { wide: '18rem', narrow: '92vw' } as const

export function AttemptCard({ attempt: rendered, modelName, isPriority }: AttemptCardProps) {
  const attempt = useLiveAttempt(rendered)
  const { prompt, settings, status } = attempt
  return (
    <article
      data-attempt-id={attempt.id}
      data-status={status}
      className="flex flex-col overflow-hidden rounded-lg border bg-surface"
    >
      <Link
        href={`/images/${attempt.id}`}
        aria-label={`Open ${prompt}`}
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
          <p className="text-sm text-muted tabular-nums">{attemptWords(attempt).money}</p>
        ) : (
          <AttemptAccount attempt={attempt} />
        )}
        <p className="mt-auto pt-1 edge-print text-muted">
          {modelName} · {settings.width}×{settings.height} · seed {settings.seed}
        </p>
      </div>
    </article>
  )
}
