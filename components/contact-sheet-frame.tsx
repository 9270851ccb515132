'use client'

import { useTranslations } from 'next-intl'
import { useWords } from '@/lib/web/use-words'
import { Check, Star } from 'lucide-react'
import Link from 'next/link'
import { memo, type MouseEvent, type RefCallback } from 'react'
import { attemptWords } from '@/lib/web/attempt-words'
import { cn } from '@/lib/web/class-names'
import type { Density } from '@/lib/web/density'
import { useLiveAttempt } from '@/lib/web/use-darkroom'
import type { AttemptView } from '@/lib/web/views'
import { AttemptPicture } from './attempt-picture'
import { StatusMark } from './status-mark'

// Two frames to a row on a phone, as many as fit elsewhere; three where they are small.
const FRAME_SIDE = {
  large: { wide: '16rem', narrow: '46vw' },
  small: { wide: '9rem', narrow: '31vw' },
} as const

type FrameProps = {
  readonly measure: RefCallback<HTMLLIElement> | undefined
  /** Of the grid, from 0. */
  readonly row: number
  /** Among all frames, from 1. Not all of them need be drawn. */
  readonly position: number
  /** How many frames there are; -1 when that is not known. */
  readonly setSize: number
  readonly attempt: AttemptView
  readonly density: Density
  readonly isPriority: boolean
  readonly isFavourite: boolean
  /** Undefined outside of choosing. */
  readonly isSelected: boolean | undefined
  readonly onSelect: (id: string, isRange: boolean) => void
  readonly onFavourite: (id: string, isOn: boolean) => void
}

export const ContactSheetFrame = memo(function ContactSheetFrame(props: FrameProps) {
  const t = useTranslations('images')
  const {
    measure,
    row,
    position,
    setSize,
    density,
    isPriority,
    isFavourite,
    isSelected,
    onSelect,
    onFavourite,
  } = props
  const attempt = useLiveAttempt(props.attempt)
  const { id, prompt, status, artwork } = attempt
  const isSelecting = isSelected !== undefined
  const onClick = (event: MouseEvent) => {
    if (!isSelecting) return
    event.preventDefault()
    if (artwork) onSelect(id, event.shiftKey)
  }
  return (
    <li
      ref={measure}
      data-index={row}
      aria-posinset={position}
      aria-setsize={setSize}
      data-attempt-id={id}
      data-status={status}
      className={cn('group/frame relative', isSelected && 'outline-2 outline-film-ink')}
    >
      <Link
        href={`/images/${id}`}
        data-frame={id}
        onClick={onClick}
        className={cn(
          'group block outline-offset-1 focus-visible:outline-film-ink',
          isSelecting && !artwork && 'cursor-not-allowed opacity-40',
        )}
      >
        <AttemptPicture
          attempt={attempt}
          frame="square"
          frameSide={FRAME_SIDE[density]}
          isPriority={isPriority}
        />
        <Caption attempt={attempt} density={density} prompt={prompt} />
      </Link>
      {artwork && isSelecting && (
        <label className="absolute top-0 left-0 flex size-11 cursor-pointer items-center justify-center">
          <input
            type="checkbox"
            checked={isSelected}
            aria-label={t('select.one', { prompt })}
            onClick={(event) => onSelect(id, event.shiftKey)}
            onChange={() => undefined}
            className="peer absolute inset-0 size-11 cursor-pointer appearance-none focus-visible:outline-film-ink"
          />
          <span className="flex size-6 items-center justify-center rounded-full border-2 border-white bg-black/55 text-transparent peer-checked:bg-white peer-checked:text-black">
            <Check aria-hidden="true" strokeWidth={3} className="size-4" />
          </span>
        </label>
      )}
      {artwork && !isSelecting && (
        <button
          type="button"
          aria-pressed={isFavourite}
          aria-label={t('favourite.one', { prompt })}
          onClick={() => onFavourite(id, !isFavourite)}
          className="absolute top-0 right-0 flex size-11 items-center justify-center opacity-0 transition-opacity group-focus-within/frame:opacity-100 group-hover/frame:opacity-100 focus-visible:outline-film-ink aria-pressed:opacity-100 [@media(hover:none)]:opacity-100"
        >
          <span className="flex size-7 items-center justify-center rounded-full bg-black/55 text-white">
            <Star aria-hidden="true" className={cn('size-4', isFavourite && 'fill-current')} />
          </span>
        </button>
      )}
    </li>
  )
})

type CaptionProps = {
  readonly attempt: AttemptView
  readonly density: Density
  readonly prompt: string
}

/** In small frames only what is not simply there has words. */
function Caption({ attempt, density, prompt }: CaptionProps) {
  const say = useWords()
  const { status, artwork, settings } = attempt
  const isDelivered = status === 'delivered'
  if (density === 'small' && isDelivered) return <span className="sr-only">{prompt}</span>
  const { width, height } = artwork ?? settings
  return (
    <span className="flex flex-col gap-0.5 px-1 pt-2 pb-2.5 text-film-muted transition-colors group-hover:text-film-ink">
      <span dir="auto" className="truncate text-[0.8125rem] text-film-ink">
        {prompt}
      </span>
      {isDelivered ? (
        <span className="truncate edge-print">
          {width}×{height}
        </span>
      ) : (
        <span className="flex flex-col gap-0.5">
          <StatusMark
            status={status}
            className={cn(
              status === 'unresolved' ? 'text-film-safelight!' : 'text-film-ink!',
              density === 'small' && 'gap-1! text-xs! font-normal! [&_svg]:size-3!',
            )}
          />
          {density === 'large' && (
            <span className="text-xs leading-snug tabular-nums">
              {say(attemptWords(attempt).money)}
            </span>
          )}
        </span>
      )}
    </span>
  )
}
