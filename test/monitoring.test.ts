import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import type { Measured } from '@/lib/db/watch-store'
import { alertKinds, judgeFigures, SPOOLED_IMAGES_MAX, type AlertKind } from '@/lib/domain/alert'
import { parseEnvironment } from '@/lib/env'
import { metricsText } from '@/lib/watch/metrics'
import { inRoot } from '@/scripts/launch/root'

// What ops gives to Prometheus and Grafana, against what /metrics prints and what workers judge by.

const Rules = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.enum(alertKinds),
          expr: z.string(),
          labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.strictObject({ summary: z.string(), runbook: z.string() }),
        }),
      ),
    }),
  ),
})
const Dashboard = z.object({
  panels: z.array(
    z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).min(1) }),
  ),
})

const read = (...path: readonly string[]) => readFileSync(inRoot(...path), 'utf8')
const rules = Rules.parse(parse(read('ops', 'prometheus', 'alerts.yaml'))).groups.flatMap(
  (group) => group.rules,
)
const dashboard = Dashboard.parse(JSON.parse(read('ops', 'grafana', 'darkroom.json')))

const figures: Measured = {
  oldestUnresolvedMs: 1,
  heldCredits: 1,
  spooledImages: 1,
  spooledBytes: 1,
  open: [{ state: 'pending', attempts: 1 }],
  silentWorkers: [{ id: 'worker:x', ageMs: 1 }],
  newestBeatMs: 1,
  refusals: [{ provider: 'x', reason: 'y' }],
  outcomes: [{ provider: 'x', outcome: 'unknown', posts: 1 }],
  firing: [{ kind: 'held-credits', subject: '' }],
  violations: 1,
  auditAgeMs: 1,
}

/** The labels of each metric that is printed with a value. */
async function printed(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { text } = await metricsText(figures)
  return new Map(
    [...text.matchAll(/^(darkroom_\w+)(?:\{(.*)\})? \S+$/gm)].map(([, name = '', labels = '']) => [
      name,
      new Set([...labels.matchAll(/(\w+)="/g)].map((match) => match[1] ?? '')),
    ]),
  )
}

const metricsOf = (expr: string) => expr.match(/\bdarkroom_\w+/g) ?? []
const labelsOf = (expr: string) =>
  [...expr.matchAll(/(?:\bby \(|\bon \()([^)]*)\)|\{(\w+)=/g)].flatMap(([, list = '', one = '']) =>
    [...list.split(','), one].map((name) => name.trim()),
  )

test('every metric and label in rules and dashboard is one that /metrics prints', async () => {
  const known = await printed()
  const expressions = [
    ...rules.map(({ expr }) => expr),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ]
  for (const expr of expressions) {
    expect(metricsOf(expr).length, expr).toBeGreaterThan(0)
    const labels = new Set(
      metricsOf(expr).flatMap((name) => {
        expect([...known.keys()], expr).toContain(name)
        return [...(known.get(name) ?? [])]
      }),
    )
    for (const label of labelsOf(expr).filter((name) => name !== '')) {
      expect([...labels], expr).toContain(label)
    }
  }
})

test('every metric that is printed is on the dashboard', async () => {
  const shown = new Set(
    dashboard.panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsOf(expr))),
  )
  expect([...(await printed()).keys()].filter((name) => !shown.has(name))).toEqual([])
})

test('every alert has one rule and a section of the runbook that the rule leads to', () => {
  expect(rules.map(({ alert }) => alert).toSorted()).toEqual([...alertKinds].toSorted())
  const headings = [...read('docs', 'RUNBOOK.md').matchAll(/^## (.*)$/gm)].map(
    // As GitHub makes an anchor of a heading.
    ([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
  )
  for (const { alert, annotations } of rules) {
    const [file, anchor] = annotations.runbook.split('#')
    expect(file).toBe('docs/RUNBOOK.md')
    expect(headings).toContain(anchor)
    expect(anchor).toMatch(new RegExp(`^${alert}-`))
  }
})

test('rules fire from where workers raise alerts', () => {
  const { ALERT_UNRESOLVED_AFTER } = parseEnvironment({
    DATABASE_URL: 'postgresql://darkroom_app@127.0.0.1:5432/darkroom',
    AUTH_SECRET: 'a secret of the monitoring test, long enough',
  })
  const thresholds = { unresolvedMs: ALERT_UNRESOLVED_AFTER, heldCredits: undefined }
  const quiet = { ...figures, violations: 0, silentWorkers: [], refusals: [], heldCredits: 0 }
  const raised = (changed: Partial<Measured>) =>
    judgeFigures({ ...quiet, ...changed }, thresholds).map(({ kind }) => kind)
  const limitOf = (alert: AlertKind) => {
    const [, sign, limit] =
      / (>=?) (\d+)$/.exec(rules.find((rule) => rule.alert === alert)?.expr ?? '') ?? []
    return { sign, limit: Number(limit) }
  }

  expect(limitOf('unresolved-age')).toEqual({
    sign: '>',
    limit: (thresholds.unresolvedMs ?? 0) / 1_000,
  })
  expect(raised({ oldestUnresolvedMs: limitOf('unresolved-age').limit * 1_000 })).toEqual([])
  expect(raised({ oldestUnresolvedMs: limitOf('unresolved-age').limit * 1_000 + 1 })).toEqual([
    'unresolved-age',
  ])

  expect(limitOf('spool-filling')).toEqual({ sign: '>=', limit: SPOOLED_IMAGES_MAX })
  expect(raised({ spooledImages: limitOf('spool-filling').limit - 1 })).toEqual([])
  expect(raised({ spooledImages: limitOf('spool-filling').limit })).toEqual(['spool-filling'])

  expect(limitOf('audit-difference')).toEqual({ sign: '>', limit: 0 })
  expect(raised({ violations: 1 })).toEqual(['audit-difference'])
  expect(limitOf('provider-refuses')).toEqual({ sign: '>', limit: 0 })
  expect(raised({ refusals: figures.refusals })).toEqual(['provider-refuses'])
  // Who is silent is asked of the database.
  expect(limitOf('worker-silent')).toEqual({ sign: '>', limit: 60 })
  expect(read('lib', 'db', 'watch-store.ts')).toContain(
    `h.beat_at < app_now() - interval '1 minute'`,
  )
})
