import { useLocale, useTranslations } from 'next-intl'
import { imageWords } from '@/lib/web/credit-words'
import type { Locale } from '@/lib/web/locales'
import { useWords } from '@/lib/web/use-words'
import type { ReactNode } from 'react'
import type { AttemptView } from '@/lib/web/views'
import { LocalTime } from './local-time'

type AttemptSettingsProps = { readonly attempt: AttemptView; readonly modelName: string }

type Line = readonly [name: string, value: ReactNode]

const maybe = <Value,>(value: Value | undefined, line: (value: Value) => Line): readonly Line[] =>
  value === undefined ? [] : [line(value)]

/** Everything as it was sent, and what came of it. */
export function AttemptSettings({ attempt, modelName }: AttemptSettingsProps) {
  const { settings, artwork, status } = attempt
  const t = useTranslations('images.settings')
  const say = useWords()
  const locale = useLocale()
  const nothing = t(status === 'failed' ? 'nothing' : 'nothingYet')
  // As one writes pixels: without a separator of thousands.
  const size = (width: number, height: number) =>
    t('size', { width: String(width), height: String(height) })
  const asked = size(settings.width, settings.height)
  const got = artwork ? size(artwork.width, artwork.height) : undefined
  const references = settings.referenceImages?.length
  const lines: readonly Line[] = [
    [t('model'), modelName],
    [t('modelId'), attempt.model],
    [t('asked'), asked],
    ...(attempt.deleted_at === null ? [[t('delivered'), got ?? nothing] as const] : []),
    ...maybe(settings.quality, (quality) => [t('quality'), quality]),
    ...maybe(settings.seed, (seed) => [t('seed'), seed]),
    ...maybe(settings.negativePrompt, (text) => [t('leftOut'), text]),
    ...maybe(references, (count) => [t('references'), say(imageWords(count))]),
    ...maybe(artwork ?? undefined, ({ content_type, size_bytes }) => [
      t('file'),
      t('fileWords', { type: content_type, size: sizeWords(size_bytes, locale) }),
    ]),
    [t('started'), <LocalTime key="started" iso={attempt.created_at} />],
    [t('requestId'), attempt.request_id],
  ]
  return (
    <>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5 text-sm">
        {lines.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="font-mono text-[0.8125rem] break-words tabular-nums select-text">
              {value}
            </dd>
          </div>
        ))}
      </dl>
      {got !== undefined && got !== asked && <p className="text-sm text-muted">{t('otherSize')}</p>}
    </>
  )
}

function sizeWords(bytes: number, locale: Locale): string {
  const isSmall = bytes < 1_000_000
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: isSmall ? 'kilobyte' : 'megabyte',
    minimumFractionDigits: isSmall ? 0 : 1,
    maximumFractionDigits: isSmall ? 0 : 1,
  }).format(isSmall ? Math.ceil(bytes / 1_000) : bytes / 1_000_000)
}
