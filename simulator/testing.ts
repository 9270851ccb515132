import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { z } from 'zod'
import type { Clock } from './clock'
import { createSimulator } from './simulator'
import type { Draw } from './task-runner'

export const TEST_SECRET = 'a-secret-of-the-tests-and-of-nobody-else'
export const TEST_LATENCY_MS = 1_000
/** For what happens soon: a busy machine may be slow, and a test that passes does not wait. */
export const PATIENCE = { timeout: 20_000, interval: 10 } as const
export const TEST_TIMEOUT_MS = 60_000

/** Time that moves only when a test says so. */
export function createManualClock(start = Date.UTC(2026, 0, 1)) {
  let time = start
  type Waiting = { readonly until: number; readonly wake: () => void }
  const waiting = new Set<Waiting>()
  const clock: Clock = {
    now: () => time,
    waitUntil: (until, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(new Error('the wait was ended'))
          return
        }
        if (until <= time) {
          resolve()
          return
        }
        const one: Waiting = { until, wake: resolve }
        waiting.add(one)
        signal.addEventListener('abort', () => {
          waiting.delete(one)
          reject(new Error('the wait was ended'))
        })
      }),
  }
  return {
    ...clock,
    advance(ms: number) {
      time += ms
      for (const one of [...waiting]) {
        if (one.until > time) continue
        waiting.delete(one)
        one.wake()
      }
    },
  }
}
export type ManualClock = ReturnType<typeof createManualClock>

/** Stands for a picture where the picture is not what is tested. */
export const quickDraw: Draw = (request) =>
  Promise.resolve(Buffer.from(`drawn: ${request.seed}`, 'utf8'))

export function createTestFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'darkroom-simulator-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

export type TestSimulatorOptions = {
  readonly folder: string
  readonly clock: Clock
  readonly draw?: Draw
  readonly projectWebhookUrl?: string
  readonly latencyMs?: number
  /** What it says its own address is. */
  readonly publicUrl?: string
}

/** The real simulator on a port of its own choosing, without its process. */
export async function startTestSimulator({
  folder,
  clock,
  draw,
  projectWebhookUrl,
  latencyMs,
  publicUrl,
}: TestSimulatorOptions) {
  const simulator = createSimulator({
    folder,
    clock,
    draw: draw ?? quickDraw,
    log: pino({ level: 'silent' }),
    webhookSecret: TEST_SECRET,
    projectWebhookUrl,
    latencyMs: latencyMs ?? TEST_LATENCY_MS,
    slowMs: 25_000,
    drawAtOnce: 2,
  })
  const url = await simulator.listen({
    host: '127.0.0.1',
    port: 0,
    ...(publicUrl === undefined ? {} : { publicUrl }),
  })
  return { url, close: () => simulator.close(), ...createTestClient(url) }
}
export type TestSimulator = Awaited<ReturnType<typeof startTestSimulator>>

export const validBody = {
  reference: 'attempt-1',
  prompt: 'a quiet lake',
  width: 256,
  height: 256,
  seed: 7,
}

const TaskView = z.strictObject({
  id: z.string(),
  reference: z.string(),
  status: z.enum(['queued', 'rendering', 'succeeded', 'failed', 'cancelled']),
  progress: z.number().min(0).max(1),
  result: z
    .strictObject({
      url: z.string(),
      content_type: z.literal('image/png'),
      width: z.int(),
      height: z.int(),
      bytes: z.int(),
    })
    .nullable(),
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})
const Accepted = z.strictObject({
  id: z.string(),
  status: z.literal('queued'),
  created_at: z.iso.datetime(),
})
const Submissions = z.object({
  count: z.int(),
  data: z.array(
    z.object({
      reference: z.string().nullable(),
      prompt: z.string().nullable(),
      body_sha256: z.string(),
      task_id: z.string().nullable(),
      outcome: z.string(),
      received_at: z.iso.datetime(),
    }),
  ),
})
const Tasks = z.object({
  count: z.int(),
  data: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      callback_state: z.string(),
      callback_tries: z.int(),
    }),
  ),
})

function createTestClient(url: string) {
  const post = (path: string, body: unknown) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const read = async <Schema extends z.ZodType>(schema: Schema, path: string) => {
    const response = await fetch(`${url}${path}`)
    return schema.parse(await response.json())
  }
  const about = (reference?: string) => (reference === undefined ? '' : `?reference=${reference}`)
  return {
    post,
    get: (path: string) => fetch(`${url}${path}`),
    submit: (overrides: Readonly<Record<string, unknown>> = {}) =>
      post('/v1/generations', { ...validBody, ...overrides }),
    async accept(overrides: Readonly<Record<string, unknown>> = {}) {
      const response = await post('/v1/generations', { ...validBody, ...overrides })
      return Accepted.parse(await response.json())
    },
    task: (id: string) => read(TaskView, `/v1/generations/${id}`),
    submissions: (reference?: string) => read(Submissions, `/_/submissions${about(reference)}`),
    tasks: (reference?: string) => read(Tasks, `/_/tasks${about(reference)}`),
  }
}
