import Link from 'next/link'
import type { ReactNode } from 'react'
import type { Settings } from '@/lib/domain/generation'
import { cn } from '@/lib/web/class-names'
import { creditsInEnglish, entriesInEnglish } from '@/lib/web/admin-credit-words'
import { utcWords } from '@/lib/web/time-words'
import { offeredTo, reviewOffers } from '@/lib/web/admin-act-words'
import { readPromptsOffer } from '@/lib/web/admin-account-words'
import type { AdminReviewView } from '@/lib/web/admin-views'
import { capabilityFacts } from '@/lib/web/admin-capability-words'
import { AdminActs } from './admin-act'
import { AdminVerifications } from './admin-verifications'
import { AttemptSentence } from './attempt-sentence'
import { Age } from './age'
import { EvidenceTable } from './evidence-table'
import { StatusMark } from './status-mark'
import { UsageTable } from './usage-table'
import { buttonVariants } from './ui/button-variants'

/** Everything known of one attempt, for an admin. */
export function AttemptReview({ review }: { readonly review: AdminReviewView }) {
  const { attempt } = review
  return (
    <article data-attempt-id={attempt.id} data-status={attempt.status}>
      <Link
        href="/admin/attempts"
        className={cn(buttonVariants({ variant: 'ghost', size: 'small' }), '-ml-3')}
      >
        All open attempts
      </Link>
      <header className="mt-3 mb-8 flex flex-col gap-2">
        <h1 className="font-mono text-lg break-all sm:text-xl">{attempt.id}</h1>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
          <StatusMark status={attempt.status} />
          <span className="font-mono text-xs text-muted">{attempt.state}</span>
          <AttemptSentence attempt={attempt} />
        </div>
      </header>
      <div className="mb-8">
        <Section title="What can be done">
          <AdminActs offers={reviewOffers(review)} />
        </Section>
      </div>
      <div className="grid gap-x-10 gap-y-8 lg:grid-cols-2">
        <Section title="Attempt">
          <Facts lines={attemptFacts(review)} />
          {review.shows_prompt && attempt.artwork && (
            <img
              src={`/api/admin/attempts/${attempt.id}/image`}
              alt="The image that was delivered"
              width={attempt.artwork.width}
              height={attempt.artwork.height}
              className="max-h-96 w-auto rounded-lg border"
            />
          )}
          {!review.shows_prompt && (
            <AdminActs offers={offeredTo(review.viewer, [readPromptsOffer(review.account_id)])} />
          )}
        </Section>
        <div className="flex min-w-0 flex-col gap-8">
          <Section title="Work">
            <WorkFacts review={review} />
          </Section>
          <Section title="Ledger">
            <LedgerLines review={review} />
          </Section>
        </div>
      </div>
      <div className="mt-8 flex flex-col gap-8">
        <Link
          href={`/admin/log?subject=attempt:${attempt.id}`}
          className="self-start text-sm underline decoration-line-strong underline-offset-4"
        >
          What admins did about it
        </Link>
        {review.verifications.length > 0 && (
          <Section title="Made sure of by workers">
            <AdminVerifications verifications={review.verifications} />
          </Section>
        )}
        <Section title="What the provider can prove">
          <Facts lines={capabilityFacts(review.capabilities)} />
        </Section>
        <Section title="Upstream usage">
          <UsageTable usage={review.usage} />
        </Section>
        <Section title="Evidence">
          <EvidenceTable evidence={review.evidence} />
        </Section>
      </div>
    </article>
  )
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-3">
      <h2 className="border-b pb-2 text-sm font-medium">{title}</h2>
      {children}
    </section>
  )
}

type FactLine = readonly [name: string, value: ReactNode]

function Facts({ lines }: { readonly lines: readonly FactLine[] }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5 text-sm">
      {lines.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="font-mono text-[0.8125rem] break-words select-text">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Moment({ iso }: { readonly iso: string }) {
  return (
    <>
      {utcWords(iso)} (<Age iso={iso} />)
    </>
  )
}

function attemptFacts({ attempt, ...review }: AdminReviewView): readonly FactLine[] {
  return [
    [
      'Account',
      <Link
        key="account"
        href={`/admin/accounts/${review.account_id}`}
        className="underline decoration-line-strong underline-offset-4"
      >
        {review.account_email ?? 'a guest'}
      </Link>,
    ],
    ['Account id', review.account_id],
    ['Request id', attempt.request_id],
    ['Provider', review.provider],
    ['Task id', review.task_id ?? 'none'],
    ['Model', attempt.model],
    ['Settings', settingsWords(attempt.settings)],
    ['Price', creditsInEnglish(attempt.price)],
    ['Settlement', attempt.settlement ?? 'none yet'],
    ['Failure', attempt.failure ? `${attempt.failure.code}: ${attempt.failure.message}` : 'none'],
    ['Created', <Moment key="created" iso={attempt.created_at} />],
    ['Updated', <Moment key="updated" iso={attempt.updated_at} />],
    [
      'Prompt',
      <span key="prompt" dir="auto" className="font-sans whitespace-pre-wrap">
        {review.shows_prompt ? attempt.prompt : 'not shown: it is private'}
      </span>,
    ],
  ]
}

function settingsWords({ width, height, ...others }: Settings): string {
  const rest = Object.entries(others).map(([name, value]) => `${name} ${String(value)}`)
  return [`${width} × ${height}`, ...rest].join(', ')
}

function WorkFacts({ review: { work, submission } }: { readonly review: AdminReviewView }) {
  const lines: readonly FactLine[] = [
    ...(work
      ? ([
          ['Due', <Moment key="due" iso={work.due_at} />],
          ['Lease until', work.lease_until === null ? 'not leased' : utcWords(work.lease_until)],
          ['Tries', work.tries],
          ['Epoch', work.epoch],
        ] as const)
      : ([['Work', 'none: the outcome is final']] as const)),
    ...(submission
      ? ([
          ['Sends', submission.sends],
          ['First sent', <Moment key="first" iso={submission.first_sent_at} />],
          ['Last sent', <Moment key="last" iso={submission.last_sent_at} />],
        ] as const)
      : ([['Submission', 'never begun: no provider was called']] as const)),
  ]
  return <Facts lines={lines} />
}

function LedgerLines({ review }: { readonly review: AdminReviewView }) {
  if (review.entries.length === 0) {
    return <p className="text-sm text-muted">No credits moved: it is one of a day’s free images.</p>
  }
  return (
    <ol className="flex flex-col gap-2 text-sm">
      {review.entries.map((entry) => (
        <li key={entry.seq} className="grid grid-cols-[1fr_auto] gap-x-4">
          <span>
            <span className="font-medium">{entriesInEnglish[entry.kind]}</span>{' '}
            <span className="text-muted">{entry.reason}</span>
          </span>
          <span className="text-right font-mono tabular-nums">
            {creditsInEnglish(entry.amount)}
          </span>
          <span className="col-span-2 font-mono text-xs text-muted tabular-nums">
            {utcWords(entry.created_at)}, line {entry.seq}: {entry.available_after} available,{' '}
            {entry.held_after} held, {entry.spent_after} spent
          </span>
        </li>
      ))}
    </ol>
  )
}
