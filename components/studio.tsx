'use client'

import { useTranslations } from 'next-intl'
import { findModel, type OfferedModel } from '@/lib/domain/model'
import { fitDraft } from '@/lib/web/draft'
import { useAttempts, useDarkroom, useDraft, useOutbox } from '@/lib/web/use-darkroom'
import { AttemptCard } from './attempt-card'
import { Composer } from './composer'
import { EmptyState } from './empty-state'
import { PromptIdeas } from './prompt-ideas'
import { SendingCard } from './sending-card'

type StudioProps = { readonly models: readonly OfferedModel[] }

export function Studio({ models }: StudioProps) {
  const t = useTranslations('studio')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-8 lg:grid-cols-[minmax(20rem,24rem)_1fr] xl:gap-x-12">
      <div className="lg:sticky lg:top-20 lg:-mx-1 lg:max-h-[calc(100dvh-6rem)] lg:self-start lg:overflow-y-auto lg:px-1 lg:pb-4">
        <h1 className="sr-only">{t('title')}</h1>
        <Composer models={models} />
      </div>
      <RecentAttempts models={models} />
    </div>
  )
}

// As many as a first screen shows at once; their pictures are not loaded lazily.
const PRIORITY_CARDS = 4

function RecentAttempts({ models }: { readonly models: readonly OfferedModel[] }) {
  const t = useTranslations('studio')
  const { attempts } = useAttempts()
  const { items, phases } = useOutbox()
  const { draft: drafts } = useDarkroom()
  const draft = fitDraft(useDraft(), models)
  const fill = (prompt: string) => {
    if (draft) drafts.write({ ...draft, prompt })
  }
  const known = new Set<string>(attempts.map(({ request_id }) => request_id))
  const unsent = items.filter(({ requestId }) => !known.has(requestId)).toReversed()

  if (attempts.length === 0 && unsent.length === 0) {
    return (
      <EmptyState
        title={t('empty.title')}
        action={draft?.prompt === '' && <PromptIdeas onChoose={fill} />}
      >
        {t('empty.text')}
      </EmptyState>
    )
  }
  return (
    <section aria-label={t('recent')}>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,16.5rem),1fr))] items-start gap-4">
        {unsent.map((item) => (
          <SendingCard key={item.requestId} item={item} phase={phases.get(item.requestId)} />
        ))}
        {attempts.map((attempt, index) => (
          <AttemptCard
            key={attempt.request_id}
            attempt={attempt}
            model={findModel(models, attempt.model)}
            isPriority={index < PRIORITY_CARDS}
          />
        ))}
      </div>
    </section>
  )
}
