import { expect, test } from 'vitest'
import { judgeFigures, type Figures } from './alert'

const quiet: Figures = {
  oldestUnresolvedMs: undefined,
  heldCredits: 0,
  spooledImages: 0,
  silentWorkers: [],
  refusals: [],
  violations: undefined,
}
const limits = { unresolvedMs: 3_600_000, heldCredits: 1_000 }
const kindsOf = (
  changed: Partial<Figures>,
  thresholds: Parameters<typeof judgeFigures>[1] = limits,
) => judgeFigures({ ...quiet, ...changed }, thresholds).map(({ kind }) => kind)

test('nothing fires while nothing is the matter', () => {
  expect(kindsOf({})).toEqual([])
  expect(kindsOf({ violations: 0, oldestUnresolvedMs: 3_600_000, heldCredits: 1_000 })).toEqual([])
})

test.each<readonly [string, Partial<Figures>]>([
  ['unresolved-age', { oldestUnresolvedMs: 3_600_001 }],
  ['held-credits', { heldCredits: 1_001 }],
  ['audit-difference', { violations: 2 }],
  ['spool-filling', { spooledImages: 128 }],
  ['worker-silent', { silentWorkers: [{ id: 'worker:a:1', ageMs: 90_000 }] }],
  ['provider-refuses', { refusals: [{ provider: 'fal', reason: 'bad key' }] }],
])('%s fires for %j', (kind, figures) => {
  expect(kindsOf(figures)).toEqual([kind])
})

test('what has no threshold never fires', () => {
  const off = { unresolvedMs: undefined, heldCredits: undefined }
  expect(kindsOf({ oldestUnresolvedMs: 1e12, heldCredits: 1e9 }, off)).toEqual([])
})

test('each worker and each provider is one of its own, and ages are said in minutes', () => {
  const silentWorkers = [
    { id: 'worker:a:1', ageMs: 61_000 },
    { id: 'worker:b:2', ageMs: 7_200_000 },
  ]
  const firing = judgeFigures({ ...quiet, silentWorkers }, limits)
  expect(firing.map(({ subject }) => subject)).toEqual(['worker:a:1', 'worker:b:2'])
  expect(firing.map(({ words }) => words).join()).toMatch(/a minute ago.*120 minutes ago/)
})
