import { Gauge, Registry } from 'prom-client'
import type { Measured } from '@/lib/db/watch-store'
import { alertKinds } from '@/lib/domain/alert'
import { attemptStates, isFinal } from '@/lib/domain/attempt-states'

const seconds = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1_000)

/** The figures in the text that Prometheus reads. What is not known has no line. */
export async function metricsText(figures: Measured): Promise<{
  readonly text: string
  readonly contentType: string
}> {
  const registry = new Registry()
  const { gauge, perLabel } = gaugesOf(registry)
  const open = new Map(figures.open.map(({ state, attempts }) => [state, attempts]))
  perLabel(
    'attempts_open',
    'Attempts whose outcome is open, by state',
    ['state'],
    attemptStates
      .filter((state) => !isFinal(state))
      .map((state) => ({ labels: { state }, value: open.get(state) ?? 0 })),
  )
  gauge(
    'unresolved_oldest_seconds',
    'Age of the oldest unresolved attempt that holds something; 0 when there is none',
    seconds(figures.oldestUnresolvedMs ?? 0),
  )
  gauge('credits_held', 'Credits that open attempts hold', figures.heldCredits)
  gauge(
    'spool_images',
    'Images that wait in the database for the image store',
    figures.spooledImages,
  )
  gauge('spool_bytes', 'Bytes of the images that wait in the database', figures.spooledBytes)
  gauge(
    'worker_heartbeat_age_seconds',
    'Since any worker was last heard of',
    seconds(figures.newestBeatMs),
  )
  gauge('workers_silent', 'Workers that fell silent without ending', figures.silentWorkers.length)
  gauge('audit_violations', 'What the newest audit of the ledger found', figures.violations)
  gauge('audit_age_seconds', 'Since the newest audit of the ledger', seconds(figures.auditAgeMs))
  perLabel(
    'provider_refuses',
    'Providers that refuse our key or our account, each as 1',
    ['provider'],
    figures.refusals.map(({ provider }) => ({ labels: { provider }, value: 1 })),
  )
  perLabel(
    'provider_posts_last_hour',
    'Submissions of the last hour, by what came of them',
    ['provider', 'outcome'],
    figures.outcomes.map(({ posts, ...labels }) => ({ labels, value: posts })),
  )
  perLabel(
    'alerts_firing',
    'Alerts that stand, by kind',
    ['kind'],
    alertKinds.map((kind) => ({
      labels: { kind },
      value: figures.firing.filter((alert) => alert.kind === kind).length,
    })),
  )
  return { text: await registry.metrics(), contentType: registry.contentType }
}

function gaugesOf(registry: Registry) {
  return {
    gauge: (name: string, help: string, value: number | undefined): void => {
      const made = new Gauge({ name: `darkroom_${name}`, help, registers: [registry] })
      if (value !== undefined) made.set(value)
    },
    perLabel: (
      name: string,
      help: string,
      labelNames: readonly string[],
      lines: readonly { readonly labels: Record<string, string>; readonly value: number }[],
    ): void => {
      const made = new Gauge({
        name: `darkroom_${name}`,
        help,
        labelNames: [...labelNames],
        registers: [registry],
      })
      for (const { labels, value } of lines) made.set(labels, value)
    },
  }
}
