'use client'

import { useTranslations } from 'next-intl'
import { useState, type ReactNode } from 'react'
import type { OfferedModel } from '@/lib/domain/model'
import { useLiveAttempt } from '@/lib/web/use-darkroom'
import type { AttemptView } from '@/lib/web/views'
import { AttemptAccount } from './attempt-account'
import { AttemptActions } from './attempt-actions'
import { AttemptClock, AttemptPace } from './attempt-clock'
import { AttemptPicture } from './attempt-picture'
import { PictureZoom, ZoomButton } from './picture-zoom'
import { StatusMark } from './status-mark'

type LiveProps = { readonly attempt: AttemptView }

export function LiveAttempt(props: LiveProps & { readonly children: ReactNode }) {
  const { id, status } = useLiveAttempt(props.attempt)
  return (
    <article data-attempt-id={id} data-status={status}>
      {props.children}
    </article>
  )
}

export function LivePicture(props: LiveProps) {
  const attempt = useLiveAttempt(props.attempt)
  const [isZoomed, setZoomed] = useState(false)
  const { artwork } = attempt
  const { width, height } = artwork ?? attempt.settings
  const isNothing = attempt.status === 'failed' || attempt.deleted_at !== null
  const room = isNothing ? '18rem' : '(100dvh - 11rem)'
  return (
    // As large as fits on the screen, in its own shape, from the first moment on. What failed or
    // was deleted has nothing to show and takes less.
    <div
      className="relative mx-auto overflow-hidden rounded-md bg-film-edge p-1.5 sm:p-2.5"
      style={{ maxWidth: `calc(${room} * ${width / height} + 1.25rem)` }}
    >
      <AttemptPicture attempt={attempt} frame="own" isPriority />
      {artwork && <ZoomButton onOpen={() => setZoomed(true)} />}
      {artwork && isZoomed && (
        <PictureZoom artwork={artwork} prompt={attempt.prompt} onClose={() => setZoomed(false)} />
      )}
    </div>
  )
}

export function LiveAccount(props: LiveProps & { readonly model: OfferedModel | undefined }) {
  const t = useTranslations('images.page')
  const attempt = useLiveAttempt(props.attempt)
  return (
    <section aria-label={t('status')} className="flex flex-col gap-3">
      <div className="flex items-center justify-between gap-3">
        <StatusMark status={attempt.status} className="text-base!" />
        <AttemptClock attempt={attempt} />
      </div>
      <AttemptAccount attempt={attempt} />
      <AttemptPace attempt={attempt} model={props.model} />
      <AttemptActions attempt={attempt} model={props.model} />
    </section>
  )
}
