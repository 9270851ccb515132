import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { OfferedModel } from '@/lib/domain/model'
import type { AttemptDetailView, ShareView } from '@/lib/web/views'
import { AttemptHistory } from './attempt-history'
import { AttemptMoney } from './attempt-money'
import { AttemptNeighbours } from './attempt-neighbours'
import { AttemptSettings } from './attempt-settings'
import { CopyButton } from './copy-button'
import { DeletedNotice } from './deleted-notice'
import { LiveAccount, LiveAttempt, LivePicture } from './live-attempt'
import { PictureActions } from './picture-actions'
import { RefreshOnAttempt } from './refresh-on-news'
import { SharePanel } from './share-panel'
import { UseAsReference } from './use-as-reference'
import { UseSettings } from './use-settings'

type AttemptPageProps = {
  readonly detail: AttemptDetailView
  /** Undefined when it is not offered any more. */
  readonly model: OfferedModel | undefined
  readonly favourite: boolean
  /** Whether a model that is offered makes pictures after others. */
  readonly takesReferences: boolean
  readonly share: ShareView | undefined
  /** Where this site is, as others reach it. */
  readonly origin: string
}

/** Everything its owner may know of one attempt. */
export function AttemptPage(props: AttemptPageProps) {
  const { detail, model, favourite, takesReferences, share, origin } = props
  const { attempt, history, entries } = detail
  const t = useTranslations('images')
  return (
    <LiveAttempt attempt={attempt}>
      <RefreshOnAttempt attempt={attempt} />
      <h1 className="sr-only">{t('one')}</h1>
      <AttemptNeighbours newer={detail.newer_id} older={detail.older_id} />
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(20rem,26rem)] xl:gap-12">
        <div className="lg:sticky lg:top-20">
          <LivePicture attempt={attempt} />
        </div>
        <div className="flex min-w-0 flex-col gap-8">
          <DeletedNotice attempt={attempt} />
          <LiveAccount attempt={attempt} model={model} />
          <section aria-labelledby="prompt-heading" className="flex flex-col gap-3">
            <SectionHeading id="prompt-heading">{t('page.prompt')}</SectionHeading>
            <p dir="auto" className="leading-relaxed break-words whitespace-pre-wrap select-text">
              {attempt.prompt}
            </p>
            <div className="flex flex-wrap gap-2">
              <CopyButton
                text={attempt.prompt}
                name={t('page.copyPrompt')}
                copied={t('page.promptCopied')}
              />
              <UseSettings generation={attempt} />
              {takesReferences && <UseAsReference attempt={attempt} />}
              <PictureActions picture={{ attempt, favourite }} />
            </div>
          </section>
          <section aria-labelledby="settings-heading" className="flex flex-col gap-3">
            <SectionHeading id="settings-heading">{t('page.madeWith')}</SectionHeading>
            <AttemptSettings attempt={attempt} modelName={model?.name ?? attempt.model} />
          </section>
          {attempt.artwork && (
            <section aria-labelledby="share-heading" className="flex flex-col gap-3">
              <SectionHeading id="share-heading">{t('page.share')}</SectionHeading>
              <SharePanel attemptId={attempt.id} share={share} origin={origin} />
            </section>
          )}
          <section aria-labelledby="money-heading" className="flex flex-col gap-3">
            <SectionHeading id="money-heading">{t('page.credits')}</SectionHeading>
            <AttemptMoney entries={entries} />
          </section>
          <section aria-labelledby="history-heading" className="flex flex-col gap-3">
            <SectionHeading id="history-heading">{t('page.history')}</SectionHeading>
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
