import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { readProviderBlocks } from '@/lib/db/provider-store'
import type { AttemptKey } from '@/lib/domain/attempt'
import { AttemptId } from '@/lib/domain/ids'
import type { Capabilities } from '@/lib/domain/provider'
import { invariant } from '@/lib/domain/invariant'
import { priceModels } from '@/lib/providers/prices'
import { providerKinds } from '@/lib/providers/registry'
import type { WorkerDeps } from '@/lib/use-cases/deps'
import { resolveProjectCallbacks } from '@/lib/use-cases/resolve-project-callbacks'
import { startAttempt } from '@/lib/use-cases/start-attempt'
import { systemClock } from '@/simulator/clock'
import { createTestFolder, startTestSimulator } from '@/simulator/testing'
import { pngBytes } from '@/test/images'
import type { World } from '@/test/world'
import { startCallbackReceiver } from './callback-receiver'
import { startFaultProxy } from './fault-proxy'
import type { Surface } from './surfaces'

// One provider's adapter between the real use cases and the real simulator, over real sockets.

// What a picture takes: long enough for callbacks and looks to meet it under way.
const LATENCY_MS = 60
const SUBMIT_TIMEOUT_MS = 1_500
const SETTLE_MS = 15_000
const PAUSE_MS = 20

export type Bench = Awaited<ReturnType<typeof openBench>>

export async function openBench(world: World, surface: Surface) {
  const proxy = await startFaultProxy()
  const folder = createTestFolder()
  const png = await pngBytes()
  const receiver = await startCallbackReceiver(() => ({ ...deps, verifiers }))
  const [name = ''] = surface.model.split('/')
  const simulator = await startTestSimulator({
    folder: folder.folder,
    clock: systemClock,
    draw: () => Promise.resolve(png),
    latencyMs: LATENCY_MS,
    publicUrl: proxy.url,
    projectWebhookUrl: `${receiver.url}/api/callbacks/${name}/project`,
  })
  proxy.aimAt(simulator.url)

  const kind = providerKinds.find((one) => one.name === name)
  invariant(kind !== undefined, `there is a provider ${name}`)
  const opened = kind.open(surface.environment(proxy.url))
  const made = opened.create(() => new Date())
  // A test waits for an answer that never comes as long as this.
  const provider = { ...made, submitTimeoutMs: () => SUBMIT_TIMEOUT_MS }
  const verifier = opened.verifier()
  const verifiers = new Map(verifier ? [[name, verifier]] : [])
  const deps: WorkerDeps = {
    ...world.deps,
    models: priceModels(opened.models()),
    providers: new Map([[name, provider]]),
    readBlocks: () => readProviderBlocks(world.deps.db),
    appUrl: receiver.url,
    allowPrivateResultHosts: true,
    submitTimeoutMs: SUBMIT_TIMEOUT_MS,
  }
  const model = deps.models.find(({ id }) => id === surface.model)
  invariant(model !== undefined, `${surface.model} is offered`)

  const submissionsOf = async (prompt: string) =>
    (await simulator.submissions()).data.filter((submission) => submission.prompt === prompt)

  async function start(words = '') {
    const accountId = await world.openAccount(100)
    const prompt = `a red fox ${randomUUID()} ${words}`.trim()
    const { width = 0, height = 0 } = model?.sizes[0] ?? {}
    const settings = { width, height, ...(model?.seed === true ? { seed: 7 } : {}) }
    const input = { requestId: randomUUID(), model: surface.model, prompt, settings }
    const started = await startAttempt(deps, accountId, input)
    if (!started.ok) throw new Error(`not started: ${JSON.stringify(started.refusal)}`)
    const key: AttemptKey = { id: AttemptId.parse(started.value.attempt.id), accountId }
    return { key, prompt, price: model?.priceCredits ?? 0 }
  }

  /** Acts as workers would, until it is as wanted or for as long as a test may take. */
  async function until(key: AttemptKey, isThere: (state: string) => boolean): Promise<string> {
    const endsAt = performance.now() + SETTLE_MS
    for (;;) {
      await resolveProjectCallbacks(deps)
      await world.step(key, { by: deps })
      const { state } = await world.attempt(key)
      if (isThere(state) || performance.now() > endsAt) return state
      await sleep(PAUSE_MS)
    }
  }

  return {
    deps,
    model,
    capabilities: provider.capabilities(surface.model) satisfies Capabilities,
    proxy,
    simulator,
    receiver,
    start,
    until,
    untilEnded: (key: AttemptKey) =>
      until(key, (state) => state === 'completed' || state === 'failed'),
    /** So many turns, for what is expected to stay as it is. */
    async turn(key: AttemptKey, times = 6) {
      for (let time = 0; time < times; time += 1) {
        await resolveProjectCallbacks(deps)
        await world.step(key, { by: deps })
        await sleep(PAUSE_MS)
      }
    },
    arm: (fault: string, more: object = {}) => simulator.post('/_/faults', { fault, ...more }),
    verifiers,
    disarm: () => fetch(`${simulator.url}/_/faults`, { method: 'DELETE' }),
    /** What the provider made for this prompt. */
    tasksOf: async (prompt: string) =>
      (await submissionsOf(prompt)).filter(({ outcome }) => outcome === 'accepted').length,
    async close() {
      await simulator.close()
      await proxy.close()
      await receiver.close()
      folder.remove()
    },
  }
}
