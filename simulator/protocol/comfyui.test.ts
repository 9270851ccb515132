import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TaskId } from '@/lib/domain/ids'
import { createComfyUiProvider } from '@/lib/providers/comfyui/provider'
import { PATIENCE, TEST_TIMEOUT_MS } from '@/simulator/testing'
import { openSimulated, type Simulated } from '@/test/simulated'
import { ATTEMPT_ID, submitRequest } from '@/test/submit-request'

vi.setConfig({ testTimeout: TEST_TIMEOUT_MS, hookTimeout: TEST_TIMEOUT_MS })

let world: Simulated
beforeEach(async () => {
  world = await openSimulated()
})
afterEach(() => world.close())

const MODEL = 'comfyui/text-to-image'
const TASK = TaskId.parse(ATTEMPT_ID)
const signal = () => AbortSignal.timeout(10_000)
const provider = (checkpoint = 'sd_xl_base_1.0.safetensors') =>
  createComfyUiProvider({
    baseUrl: `${world.url}/comfyui`,
    checkpoint,
    workflowPath: undefined,
    now: world.now,
  })
const submit = async (overrides = {}, checkpoint?: string) =>
  (await provider(checkpoint).submit(submitRequest({ model: MODEL, ...overrides }), signal()))
    .outcome
const observe = () => provider().observe(TASK, MODEL, signal())
const lookUp = () => provider().lookUp?.(submitRequest({ model: MODEL }), world.now(), signal())
const cancel = () => provider().cancel?.(TASK, MODEL, signal())
/** The server's own name for the job is not ours. */
const taskId = () =>
  vi.waitFor(async () => {
    const [task] = (await world.simulator.tasks(ATTEMPT_ID)).data
    if (task === undefined) throw new Error('no task yet')
    return task.id
  }, PATIENCE)

test('takes a graph under our id, runs it and hands out its picture', async () => {
  const settings = { width: 1344, height: 768, seed: 4_294_967_295, negativePrompt: 'fog' }
  expect(await submit({ settings })).toEqual({ kind: 'accepted', taskId: ATTEMPT_ID })
  expect(await observe()).toMatchObject({ kind: 'pending' })
  const id = await taskId()
  await world.until(id, 'rendering')
  expect(await observe()).toMatchObject({ kind: 'pending' })
  await world.until(id, 'succeeded')
  const seen = await observe()
  const url = seen.kind === 'succeeded' && 'url' in seen.result ? seen.result.url : ''
  expect(await (await fetch(url)).text()).toBe('drawn: 4294967295')
})

test('lets a job fail', async () => {
  await submit({ prompt: 'a fox #drill:fail' })
  await world.until(await taskId(), 'failed')
  expect(await observe()).toMatchObject({ kind: 'failed', failure: { code: 'provider_failed' } })
})

test.each([
  ['reject', { kind: 'rejected', oursToMend: true }],
  ['429', { kind: 'unknown' }],
  ['500', { kind: 'unknown' }],
  ['503', { kind: 'unknown' }],
  ['bad-key', { kind: 'unknown' }],
])('answers the drill %s as a server of one’s own, and makes nothing', async (drill, outcome) => {
  expect(await submit({ prompt: `a fox #drill:${drill}` })).toMatchObject(outcome)
  expect((await world.simulator.submissions(ATTEMPT_ID)).count).toBe(1)
  expect((await world.simulator.tasks()).count).toBe(0)
  expect(await observe()).toMatchObject({ kind: 'missing' })
})

test('whose answer is lost has the job, in the queue and then in the history', async () => {
  expect(await lookUp()).toMatchObject({ kind: 'absent' })
  expect(await submit({ prompt: 'a fox #drill:lost-answer' })).toMatchObject({ kind: 'unknown' })
  expect(await lookUp()).toEqual({ kind: 'found', taskId: ATTEMPT_ID })
  await world.until(await taskId(), 'succeeded')
  expect(await lookUp()).toEqual({ kind: 'found', taskId: ATTEMPT_ID })
})

test('runs the same id twice, which is why nothing is sent twice', async () => {
  await submit()
  await submit()
  expect((await world.simulator.tasks(ATTEMPT_ID)).count).toBe(2)
})

test('takes a waiting job out of its queue for good', async () => {
  await submit()
  expect(await cancel()).toEqual({ kind: 'cancelled' })
  expect(await observe()).toMatchObject({ kind: 'missing' })
})

test('stops a running job, and says so afterwards', async () => {
  await submit()
  await world.until(await taskId(), 'rendering')
  expect(await cancel()).toEqual({ kind: 'asked' })
  expect(await observe()).toMatchObject({ kind: 'failed', failure: { code: 'cancelled' } })
  expect(await cancel()).toEqual({ kind: 'too-late' })
})

test('looks away while its status is down', async () => {
  await submit({ prompt: 'a fox #drill:status-outage' })
  expect(await observe()).toMatchObject({ kind: 'unavailable' })
})

test('refuses a checkpoint that it has not', async () => {
  expect(await submit({}, 'none.bin')).toMatchObject({ kind: 'rejected', oursToMend: true })
})

const graph = {
  3: {
    class_type: 'KSampler',
    inputs: {
      seed: 1,
      steps: 20,
      cfg: 7,
      model: ['4', 0],
      positive: ['6', 0],
      negative: ['6', 0],
      latent_image: ['5', 0],
    },
  },
  5: { class_type: 'EmptyLatentImage', inputs: { width: 512, height: 512, batch_size: 1 } },
  6: { class_type: 'CLIPTextEncode', inputs: { text: 'a fox', clip: ['4', 1] } },
  9: { class_type: 'SaveImage', inputs: { filename_prefix: 'x', images: ['8', 0] } },
}

test.each<readonly [string, object, string]>([
  ['no graph', {}, 'no_prompt'],
  [
    'an id in capitals',
    { prompt: graph, prompt_id: ATTEMPT_ID.toUpperCase() },
    'invalid_prompt_id',
  ],
  [
    'a node that it has not',
    { prompt: { 1: { class_type: 'Flux', inputs: {} } } },
    'missing_node_type',
  ],
  [
    'an input that is wrong',
    { prompt: { ...graph, 3: { class_type: 'KSampler', inputs: {} } } },
    'prompt_outputs_failed_validation',
  ],
  ['a graph that puts nothing out', { prompt: { 6: graph[6] } }, 'prompt_no_outputs'],
])('refuses %s', async (_what, body, type) => {
  const response = await world.simulator.post('/comfyui/prompt', body)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { type } })
})

test('names a job itself where the client does not', async () => {
  const response = await world.simulator.post('/comfyui/prompt', { prompt: graph })
  expect(await response.json()).toMatchObject({ prompt_id: expect.any(String) as string })
})

test('interrupts whatever runs when no job is named', async () => {
  await submit()
  await world.until(await taskId(), 'rendering')
  await world.simulator.post('/comfyui/interrupt', {})
  expect(await observe()).toMatchObject({ kind: 'failed', failure: { code: 'cancelled' } })
})

test.each(['filename=x.png&subfolder=darkroom&type=output', 'filename=../../etc/passwd', ''])(
  'shows nothing for %j',
  async (query) => {
    expect((await world.simulator.get(`/comfyui/view?${query}`)).status).toBe(404)
  },
)
