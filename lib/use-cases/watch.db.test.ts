import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { saying, startScriptedServer } from '@/test/scripted-server'
import { openWorld } from '@/test/world'
import { acceptedAndReset } from '@/test/fake-provider-server'
import { AccountId } from '@/lib/domain/ids'
import { signatureOf } from '@/lib/watch/post-webhook'
import type { WorkerDeps } from './deps'
import { declareSettings } from '@/lib/db/settings-store'
import { readAlerts } from './read-alerts'
import { readMetrics } from './read-metrics'
import { readPolicies } from './read-policies'
import { auditNow, exportLedger, reviewLedger } from './review-ledger'
import { readAudits, watch, type WatchSettings } from './watch'

const world = openWorld()
const secret = 'a secret that both sides know of each other'
let listener: Awaited<ReturnType<typeof startScriptedServer>>
beforeAll(async () => {
  listener = await startScriptedServer()
})
afterAll(() => listener.close())

const admin = {
  accountId: AccountId.parse(randomUUID()),
  email: 'admin@example.com',
  role: 'admin',
} as const

const settings = (changed: Partial<WatchSettings> = {}): WorkerDeps => ({
  ...world().deps,
  watch: {
    thresholds: { unresolvedMs: 0, heldCredits: undefined },
    webhook: { url: `${listener.url}/alerts`, secret },
    email: undefined,
    auditEveryMs: undefined,
    ...changed,
  },
})
const rows = (sql: string) => world().rows(sql)
const makeNoticesDue = () =>
  rows('update alert_notice set due_at = now() where delivered_at is null')

async function unresolved() {
  const key = await world().start(await world().openAccount(10))
  world().provider.answer('submit', acceptedAndReset)
  await world().step(key)
  world().provider.reset()
  return key
}
const heard = () => listener.heard().filter(({ path }) => path === '/alerts')

test('an alert is raised once, told until it is taken, and cleared once', async () => {
  const key = await unresolved()
  listener.on('POST', /alerts/, saying(503))
  await Promise.all([watch(settings()), watch(settings())])
  await watch(settings())
  expect(await rows(`select kind, cleared_at from alert`)).toEqual([
    { kind: 'unresolved-age', cleared_at: null },
  ])
  const [trouble] = await rows('select event, trouble, delivered_at from alert_notice')
  expect(trouble).toMatchObject({
    event: 'raised',
    trouble: 'It answered 503.',
    delivered_at: null,
  })

  listener.on('POST', /alerts/, saying(204))
  const before = heard().length
  await makeNoticesDue()
  await watch(settings())
  await watch(settings())
  expect(heard()).toHaveLength(before + 1)
  const { body, headers } = heard().at(-1) ?? {}
  const text = String(body)
  expect(JSON.parse(text)).toMatchObject({
    event: 'raised',
    alert: { kind: 'unresolved-age', cleared_at: null },
  })
  const seconds = Number(/^t=(\d+),/.exec(String(headers?.['x-darkroom-signature']))?.[1])
  expect(headers?.['x-darkroom-signature']).toBe(signatureOf(secret, seconds, text))

  expect(await readAlerts(world(), admin, 10)).toMatchObject({
    alerts: [{ kind: 'unresolved-age', untold: 0 }],
  })
  expect((await readAlerts(world(), { ...admin, role: 'user' }, 10)).alerts).toEqual([])
  await world().rows(
    `select apply_decision($1, $2, version, null, 'failed', 'failed_by_operator', 'test', '{}', null, null,
       'provider_failed', 'It failed.', 'released', null, null, null, 0) from attempt where id = $2`,
    key.accountId,
    key.id,
  )
  await watch(settings())
  await watch(settings())
  expect(JSON.parse(String(heard().at(-1)?.body))).toMatchObject({ event: 'cleared' })
  expect(heard()).toHaveLength(before + 2)
  expect(await rows('select from alert where cleared_at is null')).toEqual([])
})

test('a worker that was killed is missed, and one that came back or ended is not', async () => {
  await rows(
    `insert into worker_heartbeat values
       ('worker:gone:1', now() - interval '1 hour', now() - interval '5 minutes'),
       ('worker:back:1', now() - interval '1 hour', now() - interval '5 minutes'),
       ('worker:back:2', now() - interval '4 minutes', now()),
       ('worker:old:1', now() - interval '9 days', now() - interval '8 days')`,
  )
  await watch(settings({ webhook: undefined }))
  expect(await rows(`select subject from alert where kind = 'worker-silent'`)).toEqual([
    { subject: 'worker:gone:1' },
  ])
  await rows('delete from worker_heartbeat')
  await watch(settings({ webhook: undefined }))
  expect(await rows(`select from alert where cleared_at is null`)).toEqual([])
})

test('a worker audits when the newest audit is too old, and not before', async () => {
  await watch(settings({ auditEveryMs: 3_600_000, webhook: undefined }))
  await watch(settings({ auditEveryMs: 3_600_000, webhook: undefined }))
  expect(await readAudits(world(), 10)).toMatchObject([{ violations: 0, actor: 'worker:test' }])
})

test('metrics say what is so, and ask the database once for many readers', async () => {
  await unresolved()
  const [one, two] = [readMetrics(world()), readMetrics(world())]
  expect(one).toBe(two)
  const { text, contentType } = await one
  expect(contentType).toContain('text/plain')
  expect(text).toMatch(/^darkroom_attempts_open\{state="status_unknown"\} 1$/m)
  expect(text).toMatch(/^darkroom_credits_held 1$/m)
  expect(text).toMatch(/^darkroom_audit_violations 0$/m)
  expect(text).toMatch(
    /^darkroom_provider_posts_last_hour\{provider="simulator",outcome="unknown"\} \d+$/m,
  )
})

test('an audit now is for those whose work it is, and each finds what is there', async () => {
  for (const role of ['user', 'support'] as const) {
    expect(await auditNow(world(), { ...admin, role })).toMatchObject({
      refusal: { code: 'not-admin' },
    })
  }
  const before = (await readAudits(world(), 10)).length
  for (const role of ['auditor', 'admin'] as const) {
    expect(await auditNow(world(), { ...admin, role })).toMatchObject({
      value: { differences: [], summary: expect.stringMatching(/^No differences in/) as unknown },
    })
  }
  expect(await reviewLedger(world(), { ...admin, role: 'user' })).toBeUndefined()
  const reviewed = await reviewLedger(world(), admin)
  expect(reviewed?.audits).toHaveLength(before + 2)
  const lines = await new Response(exportLedger(world(), admin)).text()
  const [{ count } = {}] = await rows('select count(*)::int as count from ledger_entry')
  expect(lines.trim().split('\n')).toHaveLength(Number(count) + 1)
})

test('what is set is declared, and each change is another version', async () => {
  const settings = {
    prices: { 'simulator/proof': 1 },
    'daily-allowance': 5,
    'signup-credits': 100,
    'approval-above': null,
  }
  await declareSettings(world().db, settings, 'worker:a')
  await declareSettings(world().db, settings, 'worker:b')
  await declareSettings(world().db, { ...settings, 'daily-allowance': 3 }, 'worker:c')
  const policies = await readPolicies(world(), admin)
  const versions = policies?.settings.filter(({ name }) => name === 'daily-allowance')
  expect(versions?.map(({ version, value, actor }) => [version, value, actor])).toEqual([
    [2, 3, 'worker:c'],
    [1, 5, 'worker:a'],
  ])
  expect(policies?.settings).toHaveLength(5)
  expect(await readPolicies(world(), { ...admin, role: 'user' })).toBeUndefined()
})
