import type { ReactNode } from 'react'
import { spanWords } from '@/lib/web/admin-capability-words'
import type { PoliciesView } from '@/lib/web/admin-views'
import { creditsInEnglish } from '@/lib/web/admin-credit-words'
import { utcWords } from '@/lib/web/time-words'

const PANEL = 'divide-y rounded-lg border bg-surface text-sm'
const LINE = 'flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 px-4 py-3'

/** What holds, and each version that held. */
export function AdminPolicies({ view }: { readonly view: PoliciesView }) {
  const [current] = view.policies
  const now = [
    [
      'Unresolved attempts are compensated',
      !current || current.after_ms === null
        ? 'never by themselves'
        : `after ${spanWords(current.after_ms)}`,
    ],
    ['Free images per account and UTC day', String(view.daily_allowance)],
    ['Credits for signing up', creditsInEnglish(view.signup_credits)],
    [
      'A second admin agrees',
      view.approval_above === null ? 'never' : `above ${creditsInEnglish(view.approval_above)}`,
    ],
  ] as const
  return (
    <div className="flex flex-col gap-10">
      <Section title="In force">
        <dl className={PANEL}>
          {now.map(([name, words]) => (
            <div key={name} className={LINE}>
              <dt className="text-muted">{name}</dt>
              <dd className="tabular-nums">{words}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section title="Prices">
        <ul className={PANEL}>
          {view.prices.map(({ id, name, credits }) => (
            <li key={id} className={LINE}>
              <span className="min-w-0">
                {name} <span className="font-mono text-xs break-all text-muted">{id}</span>
              </span>
              <span className="font-mono tabular-nums">{creditsInEnglish(credits)}</span>
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Versions of the compensation policy">
        <ol className={PANEL}>
          {view.policies.map((policy) => (
            <li key={policy.version} className={LINE}>
              <span>
                Version {policy.version}:{' '}
                {policy.after_ms === null
                  ? 'nothing is compensated by itself'
                  : `compensated after ${spanWords(policy.after_ms)}`}
                <span className="block text-muted">
                  {policy.compensated} attempts under it in the last 90 days
                </span>
              </span>
              <span className="font-mono text-xs break-all text-muted">
                {utcWords(policy.created_at)}, {policy.actor}
              </span>
            </li>
          ))}
        </ol>
      </Section>
      <Section title="What was set, when">
        {view.settings.length === 0 ? (
          <p className="text-sm text-muted">No worker has said so yet.</p>
        ) : (
          <ol className={PANEL}>
            {view.settings.map((setting) => (
              <li key={`${setting.name} ${setting.version}`} className={LINE}>
                <span className="min-w-0">
                  <span className="font-medium">{setting.name}</span>, version {setting.version}
                  <span className="block font-mono text-xs break-all text-muted">
                    {JSON.stringify(setting.value)}
                  </span>
                </span>
                <span className="font-mono text-xs break-all text-muted">
                  {utcWords(setting.declared_at)}, {setting.actor}
                </span>
              </li>
            ))}
          </ol>
        )}
      </Section>
    </div>
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
