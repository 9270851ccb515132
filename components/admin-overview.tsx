import Link from 'next/link'
import type { ReactNode } from 'react'
import { unblockOffer } from '@/lib/web/admin-account-words'
import { offeredTo } from '@/lib/web/admin-act-words'
import { paceInWords } from '@/lib/web/admin-health-words'
import { ageTable, costWords, sizeWords } from '@/lib/web/admin-overview-words'
import type { OverviewView } from '@/lib/web/admin-views'
import { utcWords } from '@/lib/web/time-words'
import { AdminAct } from './admin-act'
import { AdminAgeTable } from './admin-age-table'
import { ModelPaces, ProviderHealth } from './admin-health'
import { AdminFigures, type Figure } from './admin-figures'
import { addressOf } from './admin-pager'
import { AdminRequests } from './admin-requests'
import { Age } from './age'

const LIST = '/admin/attempts'
const PANEL = 'rounded-lg border bg-surface'

/** What is stuck, why, what it holds and costs, and who is at work. */
export function AdminOverview({ overview }: { readonly overview: OverviewView }) {
  const open = overview.open.map(({ state, ...count }) => ({ name: state, ...count }))
  const unresolved = overview.unresolved.map(({ provider, ...count }) => ({
    name: provider,
    ...count,
  }))
  return (
    <div className="flex flex-col gap-10">
      <AdminFigures figures={figuresOf(overview)} />
      {overview.blocks.length > 0 && (
        <Section title="Out of offer">
          <div className={`${PANEL} divide-y`}>
            {offeredTo(
              overview.viewer,
              overview.blocks.map(({ provider, reason, until }) =>
                unblockOffer(provider, `${reason} Until ${utcWords(until)}.`),
              ),
            ).map((offer) => (
              <AdminAct key={offer.title} offer={offer} />
            ))}
          </div>
        </Section>
      )}
      {overview.requests.length > 0 && (
        <Section title="Credits that wait for a second admin">
          <AdminRequests requests={overview.requests} viewer={overview.viewer} />
        </Section>
      )}
      <div className="grid gap-x-10 gap-y-10 xl:grid-cols-2">
        <Section title="Open attempts">
          {open.length === 0 ? (
            <Quiet>Nothing is open: every attempt has its outcome.</Quiet>
          ) : (
            <AdminAgeTable
              caption="State"
              rows={ageTable(open)}
              hrefOf={(state, age) => addressOf(LIST, { state, age })}
            />
          )}
        </Section>
        <Section title="Unresolved, by provider">
          {unresolved.length === 0 ? (
            <Quiet>Nothing is unresolved.</Quiet>
          ) : (
            <AdminAgeTable
              caption="Provider"
              rows={ageTable(unresolved)}
              hrefOf={(provider, age) =>
                addressOf(LIST, { state: 'status_unknown', provider, age })
              }
            />
          )}
        </Section>
        <Section title="Work that nobody was charged for">
          <Costs costs={overview.costs} />
        </Section>
        <Section title="Providers, last 24 hours">
          <ProviderHealth health={overview.health} />
        </Section>
        <Section title="Models, last 24 hours">
          <ModelPaces models={overview.models} />
        </Section>
        <Section title="Ledger">
          <Audit audit={overview.audit} />
        </Section>
        <Section title="Workers" id="workers">
          <Workers workers={overview.workers} />
          <p className="text-sm text-muted">
            {overview.lag_ms === null ? (
              'No work is due that nobody has begun.'
            ) : (
              <>
                Work has been due for{' '}
                <Link
                  href={LIST}
                  className="text-foreground underline decoration-line-strong underline-offset-4"
                >
                  {paceInWords(overview.lag_ms)}
                </Link>
                .
              </>
            )}
          </p>
        </Section>
      </div>
    </div>
  )
}

function figuresOf(view: OverviewView): readonly Figure[] {
  const sum = (counts: OverviewView['unresolved']) =>
    counts.reduce((total, { attempts }) => total + attempts, 0)
  const stuck = sum(view.unresolved)
  const old = sum(view.unresolved.filter(({ age }) => age !== 'under-10m'))
  const held = view.open.reduce((total, count) => total + count.held, 0)
  const many = (count: number) => (count >= 1_000 ? '1,000+' : String(count))
  const {
    spool,
    second_tasks: seconds,
    second_tasks_untold: untold,
    payment_troubles: payments,
  } = view
  return [
    {
      name: 'Unresolved',
      value: stuck.toLocaleString('en'),
      note: `${old.toLocaleString('en')} for more than 10 minutes`,
      href: addressOf(LIST, { state: 'status_unknown' }),
      needsSomebody: stuck > 0,
    },
    {
      name: 'Credits held',
      value: held.toLocaleString('en'),
      note: 'by all that is open',
      href: addressOf(LIST, { sort: 'amount' }),
      needsSomebody: false,
    },
    {
      name: 'Anomalies',
      value: many(view.anomalies),
      note: 'contradictions, ever',
      href: addressOf(LIST, { with: 'anomaly' }),
      needsSomebody: view.anomalies > 0,
    },
    {
      name: 'Second tasks',
      value: many(seconds),
      note: `${many(untold)} not told to stop yet`,
      href: addressOf(LIST, { with: 'second-task' }),
      needsSomebody: untold > 0,
    },
    {
      name: 'Spool',
      value: spool.images.toLocaleString('en'),
      note: `${sizeWords(spool.bytes)} waiting for the image store`,
      href: addressOf(LIST, { with: 'spooled' }),
      needsSomebody: spool.images > 0,
    },
    // Most installations sell nothing.
    ...(payments === 0
      ? []
      : [
          {
            name: 'Payments',
            value: many(payments),
            note: 'that do not fit, or are owed',
            href: '/admin/ledger',
            needsSomebody: true,
          },
        ]),
  ]
}

type SectionProps = {
  readonly title: string
  readonly id?: string
  readonly children: ReactNode
}

function Section({ title, id, children }: SectionProps) {
  return (
    <section id={id} aria-label={title} className="flex min-w-0 flex-col gap-3">
      <h2 className="border-b pb-2 text-sm font-medium">{title}</h2>
      {children}
    </section>
  )
}

const Quiet = ({ children }: { readonly children: ReactNode }) => (
  <p className="text-sm text-muted">{children}</p>
)

function Costs({ costs }: { readonly costs: OverviewView['costs'] }) {
  if (costs.length === 0) return <Quiet>None, as far as providers tell.</Quiet>
  return (
    <ul className="divide-y text-sm">
      {costs.map((cost) => {
        const { of, provider, unit, posts } = cost
        const query =
          of === 'compensated' ? { with: of, provider } : { state: 'status_unknown', provider }
        return (
          <li key={`${of} ${provider} ${unit ?? ''}`}>
            <Link
              href={addressOf(LIST, query)}
              className="flex min-h-10 flex-wrap items-center justify-between gap-x-4 py-2 hover:underline"
            >
              <span>
                <span className="font-mono text-[0.8125rem]">{provider}</span>{' '}
                <span className="text-muted">
                  {of === 'compensated' ? 'compensated, last 90 days' : 'unresolved'}
                </span>
              </span>
              <span className="font-mono tabular-nums">
                {costWords(cost)}
                <span className="text-muted"> in {posts === 1 ? '1 POST' : `${posts} POSTs`}</span>
              </span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

function Audit({ audit }: { readonly audit: OverviewView['audit'] }) {
  if (!audit) return <Quiet>No audit was made yet.</Quiet>
  return (
    <p className="text-sm">
      <Link href="/admin/ledger" className="underline decoration-line-strong underline-offset-4">
        {audit.violations === 0 ? 'Everything adds up' : `${audit.violations} differences`}
      </Link>
      <span className="text-muted">
        , audited <Age iso={audit.ran_at} /> ago
      </span>
    </p>
  )
}

function Workers({ workers }: { readonly workers: OverviewView['workers'] }) {
  if (workers.length === 0) {
    return (
      <p className="text-sm text-safelight-ink">
        No worker is there: nothing is sent, looked at or delivered.
      </p>
    )
  }
  return (
    <ul className="divide-y text-sm">
      {workers.map(({ id, beat_at: beatAt, is_silent: isSilent }) => (
        <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 py-2.5">
          <span className="min-w-0 font-mono text-[0.8125rem] break-all">{id}</span>
          <span className={isSilent ? 'text-safelight-ink' : 'text-muted'}>
            {isSilent ? 'silent: ' : ''}heard of <Age iso={beatAt} /> ago
          </span>
        </li>
      ))}
    </ul>
  )
}
