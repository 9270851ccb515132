'use client'

import { useTranslations } from 'next-intl'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { StatusWord } from '@/lib/domain/attempt'
import { cn } from '@/lib/web/class-names'
import { pictureSources, type FrameSide } from '@/lib/web/picture-sources'
import type { ArtworkView, AttemptView } from '@/lib/web/views'
import { statusIcons } from './status-mark'

type AttemptPictureProps = {
  readonly attempt: AttemptView
  /** The frame is square on a contact sheet and has the picture's own shape on its page. */
  readonly frame: 'square' | 'own'
  /** Of a square frame, so that the browser need not fetch more than it can show. */
  readonly frameSide?: FrameSide
  readonly isPriority?: boolean
}

/** The picture, or the sheet of paper on which it is going to appear, in its true shape. */
export function AttemptPicture(props: AttemptPictureProps) {
  const { attempt, frame, frameSide, isPriority = false } = props
  const { artwork, settings, status } = attempt
  // Only what arrives before one's eyes develops. What was there when the page opened just is.
  const [firstStatus] = useState(status)
  const { width, height } = artwork ?? settings
  const isLandscape = width >= height
  return (
    <div
      className="relative flex items-center justify-center overflow-hidden bg-film"
      style={{ aspectRatio: frame === 'square' ? '1' : `${width} / ${height}` }}
    >
      <div
        className={cn('relative overflow-hidden', isLandscape ? 'w-full' : 'h-full')}
        style={{ aspectRatio: `${width} / ${height}` }}
      >
        {artwork ? (
          <Print
            artwork={artwork}
            frameSide={frameSide}
            prompt={attempt.prompt}
            develops={firstStatus !== 'delivered'}
            isPriority={isPriority}
          />
        ) : (
          <Paper
            status={status}
            progress={attempt.progress}
            isDeleted={attempt.deleted_at !== null}
          />
        )}
      </div>
    </div>
  )
}

type PrintProps = {
  readonly artwork: ArtworkView
  readonly frameSide: FrameSide | undefined
  readonly prompt: string
  readonly develops: boolean
  readonly isPriority: boolean
}

function Print({ artwork, frameSide, prompt, develops, isPriority }: PrintProps) {
  const t = useTranslations('attempt.picture')
  const [load, setLoad] = useState<'loading' | 'loaded' | 'lost'>('loading')
  if (load === 'lost') {
    return (
      <div className="flex size-full flex-col items-center justify-center gap-2 bg-film-paper p-4 text-center text-sm text-film-muted">
        {t('lost')}
        <button
          type="button"
          className="text-film-ink underline underline-offset-4"
          onClick={() => setLoad('loading')}
        >
          {t('loadAgain')}
        </button>
      </div>
    )
  }
  return (
    <>
      <div
        aria-hidden="true"
        className="absolute inset-0 scale-110 bg-cover bg-center blur-xl"
        style={{ backgroundImage: `url("${artwork.blur}")` }}
      />
      <img
        {...pictureSources(artwork, frameSide)}
        width={artwork.width}
        height={artwork.height}
        alt={prompt}
        decoding="async"
        loading={isPriority ? 'eager' : 'lazy'}
        fetchPriority={isPriority ? 'high' : 'auto'}
        onLoad={() => setLoad('loaded')}
        onError={() => setLoad('lost')}
        className={cn(
          'relative size-full object-contain text-transparent',
          develops && load === 'loading' && 'opacity-0',
          develops && load === 'loaded' && 'animate-develop',
        )}
      />
    </>
  )
}

const PAPER: Record<StatusWord, string> = {
  queued: 'bg-film-paper',
  submitting: 'bg-film-paper',
  generating: 'bg-film-paper',
  unresolved: 'bg-film-paper',
  delivering: 'bg-film-paper',
  delivered: 'bg-film-paper',
  failed: 'bg-film',
}

const SIGN: Record<StatusWord, string> = {
  queued: 'text-film-muted',
  submitting: 'text-film-ink',
  generating: 'text-film-ink',
  unresolved: 'text-film-safelight',
  delivering: 'text-film-ink',
  delivered: 'text-film-ink',
  failed: 'text-film-muted',
}

type PaperProps = {
  readonly status: StatusWord
  readonly progress: number | null
  readonly isDeleted: boolean
}

function Paper({ status, progress, isDeleted }: PaperProps) {
  const Icon = isDeleted ? Trash2 : statusIcons[status]
  return (
    <div className={cn('absolute inset-0', PAPER[status])}>
      <PaperTone status={status} />
      <div
        className={cn(
          'absolute inset-2 border',
          status === 'unresolved' ? 'border-film-safelight/60' : 'border-film-line',
          (status === 'queued' || status === 'unresolved') && 'border-dashed',
        )}
      />
      <Icon
        aria-hidden="true"
        strokeWidth={1.25}
        className={cn('absolute inset-0 m-auto size-9', SIGN[status])}
      />
      {status === 'generating' && progress !== null && <Progress value={progress} />}
    </div>
  )
}

/** What makes each sheet unlike the others: light, liquid, a lamp, a ghost, a cross. */
function PaperTone({ status }: { readonly status: StatusWord }) {
  switch (status) {
    case 'queued':
    case 'delivered':
      return null
    case 'submitting':
      return (
        <div className="absolute inset-x-0 top-0 h-[3%] animate-scan bg-gradient-to-b from-film-ink/0 via-film-ink/35 to-film-ink/0" />
      )
    case 'generating':
      return (
        <div className="absolute -inset-1/3 animate-agitate bg-[radial-gradient(closest-side,oklch(0.62_0.03_75/0.55),transparent)]" />
      )
    case 'unresolved':
      return (
        <div className="absolute inset-0 animate-lamp bg-[radial-gradient(90%_80%_at_50%_0%,oklch(0.66_0.2_42/0.55),oklch(0.45_0.18_28/0.22)_55%,transparent)]" />
      )
    case 'delivering':
      return (
        <div className="absolute inset-0 bg-[radial-gradient(40%_45%_at_32%_38%,oklch(0.8_0.02_80/0.5),transparent),radial-gradient(55%_40%_at_70%_68%,oklch(0.6_0.03_70/0.6),transparent),linear-gradient(160deg,oklch(0.42_0.02_60),oklch(0.24_0.012_55))] blur-sm" />
      )
    case 'failed':
      return (
        <svg
          aria-hidden="true"
          className="absolute inset-2 size-[calc(100%-1rem)] text-film-line"
          preserveAspectRatio="none"
          viewBox="0 0 100 100"
        >
          <path
            d="M0 0L100 100M100 0L0 100"
            stroke="currentColor"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
      )
  }
}

function Progress({ value }: { readonly value: number }) {
  const t = useTranslations('attempt.picture')
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100)
  return (
    <div className="absolute inset-x-4 bottom-4 flex items-center gap-2.5">
      <div
        role="progressbar"
        aria-label={t('progress')}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        className="h-1 flex-1 overflow-hidden rounded-full bg-film-line"
      >
        <div
          className="h-full origin-left bg-film-ink transition-transform duration-700"
          style={{ transform: `scaleX(${percent / 100})` }}
        />
      </div>
      <span className="w-[4ch] text-right font-mono text-xs text-film-ink tabular-nums">
        {percent}%
      </span>
    </div>
  )
}
