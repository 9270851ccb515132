import { spawnSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createDeps } from '@/lib/deps'
import { AccountId, AttemptId } from '@/lib/domain/ids'
import { parseEnvironment } from '@/lib/env'
import { receiveCallback } from '@/lib/use-cases/receive-callback'
import { startAttempt } from '@/lib/use-cases/start-attempt'
import { inRoot } from '@/scripts/launch/root'
import { systemClock } from '@/simulator/clock'
import { createTestFolder, startTestSimulator, type TestSimulator } from '@/simulator/testing'
import { callback, verifiersWith } from '@/test/callbacks'
import { generation } from '@/test/factories'
import { pngBytes } from '@/test/images'
import { saying, startScriptedServer, type Act, type ScriptedServer } from '@/test/scripted-server'
import { openWorld } from '@/test/world'
import { createWorkerDeps } from './deps'
import { runLoop } from './loop'

// The real SDK sends over a real socket what web server, workers and callbacks did about one click.

const world = openWorld()
const SECRET = 'a secret of the trace test, long enough'
const MARK = 'MARKED-PROMPT-OF-THE-TRACE-TEST'

const Value = z.object({ stringValue: z.string() })
const Named = z.array(z.object({ key: z.string(), value: Value }))
const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Named }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              name: z.string(),
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              attributes: Named,
            }),
          ),
        }),
      ),
    }),
  ),
})

const folder = createTestFolder()
let collector: ScriptedServer
let wire: ScriptedServer
let simulator: TestSimulator

/** Hands on to the simulator what a worker asks, so that the test sees what went out. */
const forward: Act = async ({ method, path, headers, body }, { response }) => {
  const answer = await fetch(`${simulator.url}${path}`, {
    method,
    headers: { 'content-type': headers['content-type'] ?? 'text/plain' },
    ...(method === 'POST' && { body: new Uint8Array(body) }),
  })
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
  response.end(Buffer.from(await answer.arrayBuffer()))
}

beforeAll(async () => {
  collector = await startScriptedServer()
  wire = await startScriptedServer()
  simulator = await startTestSimulator({
    folder: folder.folder,
    clock: systemClock,
    draw: () => pngBytes(),
    latencyMs: 300,
    publicUrl: wire.url,
  })
})
afterAll(async () => {
  await simulator.close()
  await wire.close()
  await collector.close()
  folder.remove()
})

const environmentWith = (more: Readonly<Record<string, string>>) => ({
  DATABASE_URL: world().appUrl,
  DATA_DIR: folder.folder,
  AUTH_SECRET: SECRET,
  SIMULATOR: 'on',
  SIMULATOR_URL: wire.url,
  LOG_LEVEL: 'silent',
  ...more,
})

const sent = () =>
  collector.heard().flatMap(({ body }) =>
    Export.parse(JSON.parse(body.toString('utf8'))).resourceSpans.flatMap(
      ({ resource, scopeSpans }) => {
        const attribute = (list: z.infer<typeof Named>, name: string) =>
          list.find(({ key }) => key === name)?.value.stringValue
        return scopeSpans.flatMap(({ spans }) =>
          spans.map((span) => ({
            ...span,
            service: attribute(resource.attributes, 'service.name'),
            attribute: (name: string) => attribute(span.attributes, `darkroom.${name}`),
          })),
        )
      },
    ),
  )

/** A worker of its own, with what it needs, until the attempt is in one of the states. */
async function workUntil(
  id: string,
  states: readonly string[],
  env: ReturnType<typeof parseEnvironment>,
) {
  const deps = await createWorkerDeps(env)
  const stop = new AbortController()
  const loop = runLoop(deps, 2, stop.signal)
  const stateOf = async () =>
    (await world().rows('select state from attempt where id = $1', id))[0]?.['state']
  await expect.poll(stateOf, { timeout: 30_000, interval: 20 }).toBeOneOf([...states])
  stop.abort()
  await loop
  await deps.trace.close()
  await deps.db.close()
}

async function click(deps: ReturnType<typeof createDeps>, requestId: string) {
  const account = await world().openAccount()
  const input = { requestId, ...generation, prompt: MARK }
  const started = await startAttempt(deps, account, input)
  if (!started.ok) throw new Error(started.refusal.code)
  return AttemptId.parse(started.value.attempt.id)
}

test('one trace leads from the click through two workers and a callback to the settlement', async () => {
  collector.on('POST', /^\/v1\/traces$/, saying(200))
  wire.on('POST', /./, forward)
  wire.on('GET', /./, forward)
  const env = parseEnvironment(environmentWith({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }))
  const web = createDeps(env, 'web')
  const requestId = randomUUID()
  const id = await click(web, requestId)
  await workUntil(id, ['pending', 'delivering', 'completed'], env)
  const [row] = await world().rows('select task_id from attempt where id = $1', id)
  await receiveCallback(
    { ...web, verifiers: verifiersWith() },
    callback({ id, taskId: String(row?.['task_id']), callbackSecret: SECRET }),
  )
  // Another process in its place, as after a restart.
  await workUntil(id, ['completed'], env)
  await web.trace.close()
  await web.db.close()

  const spans = sent()
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined)
  expect(roots.map(({ name }) => name)).toEqual(['attempt.start'])
  const ids = new Set(spans.map(({ spanId }) => spanId))
  for (const { parentSpanId } of spans) {
    if (parentSpanId !== undefined) expect(ids).toContain(parentSpanId)
  }
  const named = (service: string) =>
    new Set(spans.filter((span) => span.service === service).map(({ name }) => name))
  expect(named('darkroom-web')).toEqual(
    new Set(['attempt.start', 'callback.receive', 'attempt.learn']),
  )
  for (const name of [
    'attempt.claim',
    'attempt.act',
    'provider.submit',
    'provider.observe',
    'result.fetch',
    'image.decode',
    'images.put',
    'images.get',
    'attempt.learn',
  ]) {
    expect(named('darkroom-worker')).toContain(name)
  }
  const [root] = roots
  expect(root?.attribute('request.id')).toBe(requestId)
  expect(root?.attribute('attempt.id')).toBe(id)
  expect(root?.attribute('provider')).toBe('simulator')
  const settled = spans.filter((span) => span.attribute('settlement') === 'settled')
  expect(settled.map((span) => span.attribute('state'))).toEqual(['completed'])
})

test('no span holds a prompt or a secret, and no provider is told of the trace', () => {
  const told = collector
    .heard()
    .map(({ body }) => body.toString('utf8'))
    .join('\n')
  expect(told).toContain('provider.submit')
  for (const marked of [MARK, SECRET, '@example.com']) {
    expect(told).not.toContain(marked)
  }
  const posts = wire.heard().filter(({ method }) => method === 'POST')
  expect(posts.length).toBeGreaterThan(0)
  expect(posts.some(({ body }) => body.toString('utf8').includes(MARK))).toBe(true)
  for (const { headers } of posts) {
    expect(Object.keys(headers)).not.toContain('traceparent')
    expect(Object.keys(headers)).not.toContain('tracestate')
  }
})

test('an attempt is made and kept without its trace when no collector answers', async () => {
  collector.reset()
  collector.on('POST', /^\/v1\/traces$/, saying(400))
  const env = parseEnvironment(environmentWith({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }))
  const web = createDeps(env, 'web')
  const id = await click(web, randomUUID())
  await workUntil(id, ['completed'], env)
  await web.trace.close()
  await web.db.close()
})

test('of a click that is sent again, the first trace stays', async () => {
  collector.reset()
  collector.on('POST', /^\/v1\/traces$/, saying(200))
  const env = parseEnvironment(environmentWith({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }))
  const web = createDeps(env, 'web')
  const visitor = AccountId.parse(randomUUID())
  const input = { requestId: randomUUID(), ...generation }
  // Guests are recorded by a statement of their own.
  const guest = { addressDigest: randomBytes(32), dailyCap: 5 }
  const first = await startAttempt(web, visitor, input, guest)
  const again = await startAttempt(web, visitor, input, guest)
  await web.trace.close()
  await web.db.close()
  if (!first.ok || !again.ok) throw new Error('not started')
  expect(again.value.replayed).toBe(true)
  const kept = await world().rows(
    'select traceparent from attempt_trace where attempt_id = $1',
    first.value.attempt.id,
  )
  const traces = sent().map(({ traceId }) => traceId)
  expect(kept.map(({ traceparent }) => String(traceparent).split('-')[1])).toEqual([traces[0]])
})

test('without a collector nothing is kept, nothing is sent and nothing of OpenTelemetry is loaded', async () => {
  collector.reset()
  const web = createDeps(parseEnvironment(environmentWith({})), 'web')
  const id = await click(web, randomUUID())
  await web.db.close()
  expect(await world().rows('select from attempt_trace where attempt_id = $1', id)).toHaveLength(0)
  expect(loadedBy(environmentWith({}))).toEqual([])
  expect(collector.heard()).toHaveLength(0)
  // The same question, asked where there is one, finds it: the answer above means something.
  expect(loadedBy(environmentWith({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }))).toContain(
    'sdk-trace-base',
  )
})

/** The packages of OpenTelemetry that a worker's process has loaded once it is ready to work. */
function loadedBy(env: Readonly<Record<string, string>>): readonly string[] {
  const script = `
    import { createRequire } from 'node:module'
    const { createWorkerDeps } = await import('./worker/deps.ts')
    const { environment } = await import('./lib/env.ts')
    const deps = await createWorkerDeps(environment())
    await deps.trace.begin('x', {}, () => Promise.resolve())
    const cache = Object.keys(createRequire(import.meta.url).cache).join('\\n')
    console.log(JSON.stringify([...cache.matchAll(/@opentelemetry[\\\\/]([a-z-]+)/g)].map((m) => m[1])))
    process.exit(0)`
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', script],
    {
      cwd: inRoot(),
      env: { NODE_ENV: 'test', PATH: process.env['PATH'], ...env },
      encoding: 'utf8',
    },
  )
  if (stdout === '') throw new Error(stderr)
  return [...new Set(z.array(z.string()).parse(JSON.parse(stdout)))]
}
