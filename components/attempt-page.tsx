import { ArrowLeft, ArrowRight, Download } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'
import type { OfferedModel } from '@/lib/domain/model'
import type { AttemptDetailView, AttemptView } from '@/lib/web/views'
import { AttemptHistory } from './attempt-history'
import { AttemptMoney } from './attempt-money'
import { CopyButton } from './copy-button'
import { LiveAccount, LiveAttempt, LivePicture } from './live-attempt'
import { LocalTime } from './local-time'
import { RefreshOnAttempt } from './refresh-on-news'
import { buttonVariants } from './ui/button-variants'
import { UseSettings } from './use-settings'

type AttemptPageProps = {
  readonly detail: AttemptDetailView
  /** Undefined when it is not offered any more. */
  readonly model: OfferedModel | undefined
}

/** Everything its owner may know of one attempt. */
export function AttemptPage({ detail, model }: AttemptPageProps) {
  const { attempt, history, entries } = detail
  return (
    <LiveAttempt attempt={attempt}>
      <RefreshOnAttempt attempt={attempt} />
      <h1 className="sr-only">Image</h1>
      <Neighbours detail={detail} />
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(20rem,26rem)] xl:gap-12">
        <div className="lg:sticky lg:top-20">
          <LivePicture attempt={attempt} />
        </div>
        <div className="flex min-w-0 flex-col gap-8">
          <LiveAccount attempt={attempt} model={model} />
          <section aria-labelledby="prompt-heading" className="flex flex-col gap-3">
            <SectionHeading id="prompt-heading">Prompt</SectionHeading>
            <p dir="auto" className="leading-relaxed break-words whitespace-pre-wrap select-text">
              {attempt.prompt}
            </p>
            <div className="flex flex-wrap gap-2">
              <CopyButton text={attempt.prompt} what="Prompt" />
              <UseSettings generation={attempt} />
              <DownloadLink attempt={attempt} />
            </div>
          </section>
          <section aria-labelledby="settings-heading" className="flex flex-col gap-3">
            <SectionHeading id="settings-heading">Made with</SectionHeading>
            <Settings attempt={attempt} modelName={model?.name ?? attempt.model} />
          </section>
          <section aria-labelledby="money-heading" className="flex flex-col gap-3">
            <SectionHeading id="money-heading">Credits</SectionHeading>
            <AttemptMoney entries={entries} />
          </section>
          <section aria-labelledby="history-heading" className="flex flex-col gap-3">
            <SectionHeading id="history-heading">History</SectionHeading>
            <AttemptHistory history={history} />
          </section>
        </div>
      </div>
    </LiveAttempt>
  )
}

function SectionHeading({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  return (
    <h2 id={id} className="border-b pb-2 text-sm font-medium">
      {children}
    </h2>
  )
}

function Neighbours({ detail }: { readonly detail: AttemptDetailView }) {
  const { newer_id: newer, older_id: older } = detail
  const look = buttonVariants({ variant: 'ghost', size: 'small' })
  return (
    <nav aria-label="Images" className="-mx-3 mb-4 flex items-center justify-between gap-2">
      <Link href="/images" className={look}>
        All images
      </Link>
      <span className="flex gap-1">
        {newer !== null && (
          <Link href={`/images/${newer}`} className={look}>
            <ArrowLeft aria-hidden="true" />
            Newer
          </Link>
        )}
        {older !== null && (
          <Link href={`/images/${older}`} className={look}>
            Older
            <ArrowRight aria-hidden="true" />
          </Link>
        )}
      </span>
    </nav>
  )
}

function Settings({ attempt, modelName }: { attempt: AttemptView; modelName: string }) {
  const { settings, artwork } = attempt
  const nothing = attempt.status === 'failed' ? 'nothing' : 'nothing yet'
  const lines: readonly (readonly [string, ReactNode])[] = [
    ['Model', modelName],
    ['Model id', attempt.model],
    ['Asked for', `${settings.width} × ${settings.height} px`],
    ['Delivered', artwork ? `${artwork.width} × ${artwork.height} px` : nothing],
    ...(settings.quality === undefined ? [] : [['Quality', settings.quality] as const]),
    ...(settings.seed === undefined ? [] : [['Seed', settings.seed] as const]),
    ...(settings.negativePrompt === undefined
      ? []
      : [['Left out', settings.negativePrompt] as const]),
    ['File', artwork ? `${artwork.content_type}, ${sizeWords(artwork.size_bytes)}` : nothing],
    ['Started', <LocalTime key="started" iso={attempt.created_at} />],
    ['Request id', attempt.request_id],
  ]
  return (
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
  )
}

function sizeWords(bytes: number): string {
  return bytes < 1_000_000
    ? `${Math.ceil(bytes / 1_000)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`
}

const FILE_NAME_LENGTH_MAX = 60

/** From the prompt, with what no file system minds: letters and digits of any script, and dashes. */
function fileName({ prompt, id, artwork }: AttemptView): string {
  const words = prompt
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, FILE_NAME_LENGTH_MAX)
    .replace(/^-+|-+$/g, '')
  const type = artwork?.content_type.split('/')[1] ?? 'png'
  return `${words || 'darkroom'}-${id.slice(0, 8)}.${type}`
}

function DownloadLink({ attempt }: { readonly attempt: AttemptView }) {
  if (!attempt.artwork) return null
  return (
    <a
      href={attempt.artwork.url}
      download={fileName(attempt)}
      className={buttonVariants({ variant: 'outline', size: 'small' })}
    >
      <Download aria-hidden="true" />
      Download
    </a>
  )
}
