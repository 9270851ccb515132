'use client'

import type { ReactNode } from 'react'
import { useTranslations } from 'next-intl'
import { useWords } from '@/lib/web/use-words'
import { Send } from 'lucide-react'
import type { OutboxItem } from '@/lib/web/outbox'
import type { SendPhase } from '@/lib/web/sender'
import { clockWords, durationWords } from '@/lib/web/time-words'
import { useNow } from '@/lib/web/use-now'
import { Button } from './ui/button'

// An answer usually takes a tenth of a second. After this long a person wonders.
const SLOW_ANSWER_MS = 10_000

type SendingCardProps = { readonly item: OutboxItem; readonly phase: SendPhase | undefined }

/** A request that this browser keeps and the server has not acknowledged. */
export function SendingCard({ item, phase }: SendingCardProps) {
  const t = useTranslations('studio.sending')
  const now = useNow()
  const { width, height } = item.settings
  return (
    <article
      data-request-id={item.requestId}
      className="flex flex-col overflow-hidden rounded-lg border border-dashed bg-surface"
    >
      <div className="flex aspect-square items-center justify-center bg-film">
        <div
          className={width >= height ? 'relative w-full' : 'relative h-full'}
          style={{ aspectRatio: `${width} / ${height}` }}
        >
          <div className="absolute inset-2 border border-dashed border-film-line" />
          <Send
            aria-hidden="true"
            strokeWidth={1.25}
            className="absolute inset-0 m-auto size-8 text-film-muted"
          />
        </div>
      </div>
      <div className="flex flex-1 flex-col gap-2.5 p-3.5">
        <div className="flex items-center justify-between gap-3">
          <span className="inline-flex items-center gap-1.5 text-sm font-medium text-muted">
            <Send aria-hidden="true" className="size-4" />
            {t('title')}
          </span>
          <span className="font-mono text-xs text-muted tabular-nums">
            {now === undefined ? '–:––' : clockWords(Date.parse(item.createdAt), now)}
          </span>
        </div>
        <p dir="auto" className="line-clamp-2 text-sm leading-snug break-words select-text">
          {item.prompt}
        </p>
        <SendingWords item={item} phase={phase} nowMs={now} />
      </div>
    </article>
  )
}

type SendingWordsProps = SendingCardProps & { readonly nowMs: number | undefined }

function SendingWords({ item, phase, nowMs }: SendingWordsProps) {
  const t = useTranslations('studio.sending')
  switch (phase?.kind) {
    case 'lost':
      return (
        <p className="text-sm leading-snug" role="status">
          <LostWords nowMs={nowMs} retryAtMs={phase.retryAtMs} />
        </p>
      )
    case 'outdated':
      return (
        <div className="flex flex-col items-start gap-2 text-sm leading-snug" role="status">
          <p>{t('outdated')}</p>
          <ReloadButton />
        </div>
      )
    case 'signed-out':
      return (
        <p className="text-sm leading-snug" role="status">
          {t('signedOut')}
        </p>
      )
    case 'sending':
    case 'queued':
    case undefined: {
      const isSlow = nowMs !== undefined && nowMs - Date.parse(item.createdAt) > SLOW_ANSWER_MS
      if (!isSlow) return <p className="text-sm text-muted">{t('kept')}</p>
      return (
        <div className="flex flex-col items-start gap-2 text-sm leading-snug">
          <p>{t('slow')}</p>
          <ReloadButton />
        </div>
      )
    }
  }
}

type LostWordsProps = { readonly nowMs: number | undefined; readonly retryAtMs: number }

function LostWords({ nowMs, retryAtMs }: LostWordsProps) {
  const t = useTranslations('studio.sending')
  const say = useWords()
  if (nowMs === undefined) return t('lost')
  // Counts down for the eye only: read aloud each second it would be noise.
  const when = (words: ReactNode) => <span aria-hidden="true">{words}</span>
  return retryAtMs - nowMs < 1_000
    ? t.rich('lostNow', { when })
    : t.rich('lostIn', { when, time: say(durationWords(nowMs, retryAtMs)) })
}

function ReloadButton() {
  const t = useTranslations('studio.sending')
  return (
    <Button variant="outline" size="small" onClick={() => window.location.reload()}>
      {t('reload')}
    </Button>
  )
}
