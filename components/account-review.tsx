import Link from 'next/link'
import type { ReactNode } from 'react'
import { accountOffers, readPromptsOffer } from '@/lib/web/admin-account-words'
import { offeredTo } from '@/lib/web/admin-act-words'
import { heldWords } from '@/lib/web/admin-overview-words'
import type { AccountReviewView } from '@/lib/web/admin-views'
import { creditsInEnglish, entriesInEnglish } from '@/lib/web/admin-credit-words'
import { utcWords } from '@/lib/web/time-words'
import type { LedgerEntryView } from '@/lib/web/views'
import { AdminActs } from './admin-act'
import { AdminPurchases } from './admin-purchases'
import { AdminRequests } from './admin-requests'
import { Age } from './age'
import { StatusMark } from './status-mark'

const LINK = 'underline decoration-line-strong underline-offset-4'
const PANEL = 'divide-y rounded-lg border bg-surface'

/** Everything about one account that an admin may see, and what can be done about it. */
export function AccountReview({ account }: { readonly account: AccountReviewView }) {
  const own = accountOffers({ ...account, is_suspended: account.status === 'suspended' })
  const offers = offeredTo(account.viewer, [
    ...own,
    ...(account.shows_prompts ? [] : [readPromptsOffer(account.id)]),
  ])
  return (
    <article className="flex flex-col gap-8">
      <header className="flex flex-col gap-2">
        <h1 className="text-2xl font-medium tracking-tight break-all">
          {account.email ?? 'A guest'}
        </h1>
        <p className="text-sm text-muted">
          <span className="font-mono text-xs break-all">{account.id}</span>, {account.role},{' '}
          <span className={account.status === 'active' ? undefined : 'text-safelight-ink'}>
            {account.status}
          </span>
          , {account.open_sessions === 1 ? '1 session' : `${account.open_sessions} sessions`}, since{' '}
          {utcWords(account.created_at)}
        </p>
        <Link
          href={`/admin/log?subject=account:${account.id}`}
          className={`${LINK} inline-flex min-h-10 items-center self-start text-sm`}
        >
          What admins did about it
        </Link>
      </header>
      <Balance account={account} />
      <Section title="What can be done">
        <AdminActs offers={offers} />
      </Section>
      {account.requests.length > 0 && (
        <Section title="Credits that need two admins">
          <AdminRequests requests={account.requests} viewer={account.viewer} />
        </Section>
      )}
      {account.purchases.length > 0 && (
        <Section title="Purchases">
          <AdminPurchases purchases={account.purchases} />
        </Section>
      )}
      <Section title="Newest attempts">
        <Attempts account={account} />
      </Section>
      <Section title="Statement">
        <Lines entries={account.statement.data} />
      </Section>
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

function Balance({ account }: { readonly account: AccountReviewView }) {
  const parts = [
    ['Available', account.available],
    ['On hold', account.held],
    ['Spent', account.spent],
    ['Ever granted', account.granted],
  ] as const
  return (
    <dl
      aria-label="Balance"
      className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border bg-line lg:grid-cols-4"
    >
      {parts.map(([name, amount]) => (
        <div key={name} className="flex flex-col gap-1 bg-surface p-4">
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="font-mono text-2xl tracking-tight tabular-nums">
            {amount.toLocaleString('en')}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Attempts({ account }: { readonly account: AccountReviewView }) {
  if (account.attempts.length === 0) return <p className="text-sm text-muted">None.</p>
  return (
    <ul className={`${PANEL} text-sm`}>
      {account.attempts.map((attempt) => (
        <li
          key={attempt.id}
          data-attempt-id={attempt.id}
          data-status={attempt.status}
          className="relative grid gap-x-6 gap-y-1 px-4 py-3 hover:bg-raised/60 sm:grid-cols-[8rem_minmax(0,1fr)_auto]"
        >
          <StatusMark status={attempt.status} />
          <span className="min-w-0">
            <Link
              href={`/admin/attempts/${attempt.id}`}
              className={`${LINK} font-mono text-xs break-all after:absolute after:inset-0`}
            >
              {attempt.id}
            </Link>
            <span className="block text-muted">{attempt.model}</span>
            {attempt.prompt !== null && (
              <span dir="auto" className="block whitespace-pre-wrap">
                {attempt.prompt}
              </span>
            )}
          </span>
          <span className="text-muted">
            <Age iso={attempt.created_at} /> ago,{' '}
            {attempt.settlement ?? `${heldWords(attempt)} held`}
          </span>
        </li>
      ))}
    </ul>
  )
}

function Lines({ entries }: { readonly entries: readonly LedgerEntryView[] }) {
  if (entries.length === 0) return <p className="text-sm text-muted">No lines here.</p>
  return (
    <ol className={`${PANEL} text-sm`}>
      {entries.map((entry) => (
        <li
          key={entry.seq}
          className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 px-4 py-3"
        >
          <span className="min-w-0">
            <span className="font-medium">{entriesInEnglish[entry.kind]}</span>{' '}
            <span className="text-muted">{entry.reason}</span>
            {entry.attempt_id !== null && (
              <Link
                href={`/admin/attempts/${entry.attempt_id}`}
                className={`${LINK} block py-1 font-mono text-xs break-all`}
              >
                {entry.attempt_id}
              </Link>
            )}
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
