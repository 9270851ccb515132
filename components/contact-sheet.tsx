'use client'

import Link from 'next/link'
import { attemptWords } from '@/lib/web/attempt-words'
import { useAttempts, useLiveAttempt } from '@/lib/web/use-darkroom'
import type { AttemptView } from '@/lib/web/views'
import { AttemptPicture } from './attempt-picture'
import { StatusMark } from './status-mark'

type ContactSheetProps = {
  readonly attempts: readonly AttemptView[]
  /** The first page also shows what was started after it was made. */
  readonly isNewest: boolean
}

/** All frames of a film on one sheet, newest first. */
export function ContactSheet({ attempts, isNewest }: ContactSheetProps) {
  const live = useAttempts().attempts
  const newest = attempts[0]
  const added = isNewest
    ? live.filter(
        ({ created_at, id }) => !newest || (created_at > newest.created_at && id !== newest.id),
      )
    : []
  const frames = [...added, ...attempts]
  return (
    <div className="overflow-hidden rounded-md bg-film-edge p-2 sm:p-3">
      <div aria-hidden="true" className="mb-2 h-1.5 perforated sm:mb-3" />
      <ol className="grid grid-cols-2 gap-1.5 sm:grid-cols-[repeat(auto-fill,minmax(12.5rem,1fr))] sm:gap-2">
        {frames.map((attempt, index) => (
          <Frame key={attempt.id} attempt={attempt} isPriority={index < 8} />
        ))}
      </ol>
      <div aria-hidden="true" className="mt-2 h-1.5 perforated sm:mt-3" />
    </div>
  )
}

// Two frames to a row on a phone, as many as fit elsewhere.
const FRAME_SIDE = { wide: '16rem', narrow: '46vw' } as const

type FrameProps = { readonly attempt: AttemptView; readonly isPriority: boolean }

function Frame({ attempt: rendered, isPriority }: FrameProps) {
  const attempt = useLiveAttempt(rendered)
  const { id, prompt, status } = attempt
  return (
    <li data-attempt-id={id} data-status={status}>
      <Link
        href={`/images/${id}`}
        className="group block outline-offset-1 focus-visible:outline-film-ink"
      >
        <AttemptPicture
          attempt={attempt}
          frame="square"
          frameSide={FRAME_SIDE}
          isPriority={isPriority}
        />
        <span className="flex flex-col gap-0.5 px-1 pt-2 pb-2.5 text-film-muted transition-colors group-hover:text-film-ink">
          <span dir="auto" className="truncate text-[0.8125rem] text-film-ink">
            {prompt}
          </span>
          {status === 'delivered' ? (
            <span className="truncate edge-print">
              {attempt.settings.width}×{attempt.settings.height}
            </span>
          ) : (
            <span className="flex flex-col gap-0.5">
              <StatusMark
                status={status}
                className={status === 'unresolved' ? 'text-film-safelight' : 'text-film-ink'}
              />
              <span className="text-xs leading-snug tabular-nums">
                {attemptWords(attempt).money}
              </span>
            </span>
          )}
        </span>
      </Link>
    </li>
  )
}
