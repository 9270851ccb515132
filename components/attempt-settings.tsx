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
  const nothing = status === 'failed' ? 'nothing' : 'nothing yet'
  const size = (width: number, height: number) => `${width} × ${height} px`
  const asked = size(settings.width, settings.height)
  const got = artwork ? size(artwork.width, artwork.height) : undefined
  const references = settings.referenceImages?.length
  const lines: readonly Line[] = [
    ['Model', modelName],
    ['Model id', attempt.model],
    ['Asked for', asked],
    ...(attempt.deleted_at === null ? [['Delivered', got ?? nothing] as const] : []),
    ...maybe(settings.quality, (quality) => ['Quality', quality]),
    ...maybe(settings.seed, (seed) => ['Seed', seed]),
    ...maybe(settings.negativePrompt, (text) => ['Left out', text]),
    ...maybe(references, (count) => ['References', count === 1 ? '1 image' : `${count} images`]),
    ...maybe(artwork ?? undefined, ({ content_type, size_bytes }) => [
      'File',
      `${content_type}, ${sizeWords(size_bytes)}`,
    ]),
    ['Started', <LocalTime key="started" iso={attempt.created_at} />],
    ['Request id', attempt.request_id],
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
      {got !== undefined && got !== asked && (
        <p className="text-sm text-muted">
          The image service made it in another size than asked. It is kept as it came.
        </p>
      )}
    </>
  )
}

function sizeWords(bytes: number): string {
  return bytes < 1_000_000
    ? `${Math.ceil(bytes / 1_000)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`
}
