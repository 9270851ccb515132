import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AttemptId, TaskId } from '@/lib/domain/ids'
import {
  reset,
  saying,
  startScriptedServer,
  unusedAddress,
  type Act,
  type ScriptedServer,
} from '@/test/scripted-server'
import { ATTEMPT_ID, jsonOf, submitRequest } from '@/test/submit-request'
import { failedLooks, TEST_NOW, unanswered } from '@/test/unanswered'
import { comfyUi } from './kind'
import { createComfyUiProvider } from './provider'

let server: ScriptedServer
const folder = mkdtempSync(join(tmpdir(), 'darkroom-comfyui-'))
beforeAll(async () => {
  server = await startScriptedServer()
})
beforeEach(() => server.reset())
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const MODEL = 'comfyui/text-to-image'
const TASK = TaskId.parse(ATTEMPT_ID)
const signal = () => AbortSignal.timeout(500)
const provider = (baseUrl = server.url, workflowPath?: string) =>
  createComfyUiProvider({
    baseUrl,
    checkpoint: 'sd_xl_base_1.0.safetensors',
    workflowPath,
    now: () => TEST_NOW,
  })
const submit = (overrides = {}, baseUrl?: string, workflowPath?: string) =>
  provider(baseUrl, workflowPath).submit(submitRequest({ model: MODEL, ...overrides }), signal())
const answer = (act: Act) => server.on('POST', /^\/prompt$/, act)
const queued = saying(200, { prompt_id: ATTEMPT_ID, number: 1, node_errors: {} })

describe('a submission', () => {
  test('is one POST of the whole graph, under our own id', async () => {
    answer(queued)
    const { outcome } = await submit({
      prompt: 'a "quoted" {{seed}} fox\n',
      settings: { width: 1216, height: 832, seed: 7, negativePrompt: 'fog' },
    })
    expect(outcome).toEqual({ kind: 'accepted', taskId: ATTEMPT_ID })
    expect(server.posts()).toBe(1)
    expect(jsonOf(server.heard()[0])).toMatchObject({
      prompt_id: ATTEMPT_ID,
      extra_data: { attempt_id: ATTEMPT_ID },
      prompt: {
        3: { class_type: 'KSampler', inputs: { seed: 7, positive: ['6', 0] } },
        4: { inputs: { ckpt_name: 'sd_xl_base_1.0.safetensors' } },
        5: { inputs: { width: 1216, height: 832, batch_size: 1 } },
        6: { inputs: { text: 'a "quoted" {{seed}} fox\n' } },
        7: { inputs: { text: 'fog' } },
        9: { inputs: { filename_prefix: `darkroom/${ATTEMPT_ID}` } },
      },
    })
  })

  test('sends an id in lower case, as newer servers want it', async () => {
    answer(queued)
    await submit({ reference: AttemptId.parse(ATTEMPT_ID.toUpperCase()) })
    expect(jsonOf(server.heard()[0])).toMatchObject({ prompt_id: ATTEMPT_ID })
  })

  test('without a seed has one all the same, the same for its attempt each time', async () => {
    answer(queued)
    await submit()
    await submit()
    await submit({ reference: AttemptId.parse('019a0000-0000-7000-8000-000000000002') })
    const [first, second, other] = server.heard().map(({ body }) => body.toString())
    expect(first).toBe(second)
    expect(first).not.toBe(other)
    expect(first).toMatch(/"seed":\d+/)
  })

  test('under an id of the server’s own has that id', async () => {
    answer(saying(200, { prompt_id: 'another', number: 1 }))
    expect((await submit()).outcome).toEqual({ kind: 'accepted', taskId: 'another' })
  })

  test.each([...unanswered, ['401', saying(401, {})], ['413', saying(413, {})]] as const)(
    'answered by %s is unknown, and was sent once',
    async (_what, act) => {
      answer(act)
      expect((await submit()).outcome.kind).toBe('unknown')
      expect(server.posts()).toBe(1)
    },
  )

  test('to a server that is not there was not sent', async () => {
    expect((await submit({}, await unusedAddress())).outcome.kind).toBe('rejected-for-now')
  })

  test.each(['prompt_outputs_failed_validation', 'invalid_prompt', 'invalid_prompt_id'])(
    'refused for its graph (%s) made nothing, and is the operator’s to mend',
    async (type) => {
      answer(saying(400, { error: { type, message: 'why', details: '' }, node_errors: {} }))
      expect((await submit()).outcome).toMatchObject({
        kind: 'rejected',
        oursToMend: true,
        evidence: { errorCode: type },
      })
    },
  )
})

describe('a workflow of the operator’s own', () => {
  const written = (workflow: unknown) => {
    const path = join(folder, 'workflow.json')
    writeFileSync(path, typeof workflow === 'string' ? workflow : JSON.stringify(workflow))
    return path
  }
  const own = {
    a: { class_type: 'Words', inputs: { text: 'in oils: {{prompt}}, not {{negative_prompt}}' } },
    b: {
      class_type: 'Sample',
      inputs: {
        noise: { seed: ['{{seed}}', '{{unknown}}'] },
        width: '{{width}}',
        on: true,
        no: null,
      },
    },
  }

  test('is filled with what is asked for, with its types, and is otherwise left as it is', async () => {
    answer(queued)
    await submit({ settings: { width: 832, height: 1216, seed: 5 } }, server.url, written(own))
    expect(jsonOf(server.heard()[0])).toMatchObject({
      prompt: {
        a: { class_type: 'Words', inputs: { text: 'in oils: a red fox in the snow, not ' } },
        b: {
          class_type: 'Sample',
          inputs: { noise: { seed: [5, '{{unknown}}'] }, width: 832, on: true, no: null },
        },
      },
    })
  })

  test.each<readonly [string, unknown, string]>([
    ['is no JSON', 'nodes', 'API format'],
    ['is in the format of the editor', { nodes: [], links: [] }, 'API format'],
    [
      'has no place for the prompt',
      { a: { class_type: 'A', inputs: { s: '{{seed}}' } } },
      '{{prompt}}',
    ],
    [
      'has no place for the seed',
      { a: { class_type: 'A', inputs: { t: '{{prompt}}' } } },
      '{{seed}}',
    ],
  ])('that %s is refused at the start, by its variable', (_what, workflow, words) => {
    const path = written(workflow)
    expect(() => provider(server.url, path)).toThrow(/^COMFYUI_WORKFLOW: /)
    expect(() => provider(server.url, path)).toThrow(words)
  })

  test('that is not there is refused at the start, by its variable', () => {
    expect(() => provider(server.url, join(folder, 'none.json'))).toThrow(/^COMFYUI_WORKFLOW: /)
  })

  test('may cost what nobody knows, and need not know what is not to be seen', () => {
    const path = written(own)
    expect(provider(server.url, path).capabilities(MODEL).billing.failed).toBe('not-established')
    expect(provider().capabilities(MODEL).billing.failed).toBe('not-charged')
    const negative = (env: Record<string, string>) =>
      comfyUi
        .open(env)
        .models()
        .map(({ negativePrompt }) => negativePrompt)
    expect(negative({ COMFYUI_WORKFLOW: path })).toEqual([false])
    expect(negative({})).toEqual([true])
  })
})

// What the server has of the job at each look, in the order in which it is looked for.
const NONE = saying(200, {})
const history = (...acts: readonly Act[]) => server.on('GET', /^\/history\//, ...acts)
const queue = (...acts: readonly Act[]) => server.on('GET', /^\/queue$/, ...acts)
const entry = (fields: object) =>
  saying(200, { [ATTEMPT_ID]: { prompt: [1, ATTEMPT_ID, {}, {}, []], outputs: {}, ...fields } })
const inQueue = (where: 'queue_running' | 'queue_pending', id: string = ATTEMPT_ID) =>
  saying(200, { queue_running: [], queue_pending: [], [where]: [[1, id, {}, {}, ['9']]] })
/** What is answered to each kind of request. */
type Script = {
  readonly history?: readonly Act[]
  readonly queue?: readonly Act[]
  readonly post?: Act
}
function play(script: Script): void {
  history(...(script.history ?? [NONE]))
  queue(...(script.queue ?? []))
  if (script.post) server.on('POST', /^\/(queue|interrupt)$/, script.post)
}
const EMPTY = saying(200, { queue_running: [], queue_pending: [] })
const image = (type: string, filename = 'a b.png') => ({ filename, subfolder: 'darkroom', type })
const SUCCESS = { status_str: 'success', completed: true, messages: [] }
const done = entry({ status: SUCCESS, outputs: { 9: { images: [image('output')] } } })

describe('a job', () => {
  const observe = () => provider().observe(TASK, MODEL, signal())

  test.each<readonly [string, object, object]>([
    [
      'has saved an image',
      {
        status: SUCCESS,
        outputs: {
          8: { images: [image('temp')] },
          9: { images: [image('output')] },
          10: { text: ['x'] },
        },
      },
      {
        kind: 'succeeded',
        result: { url: '/view?filename=a+b.png&subfolder=darkroom&type=output' },
      },
    ],
    [
      'has shown an image',
      { status: SUCCESS, outputs: { 8: { images: [image('temp')] } } },
      { kind: 'succeeded', result: { url: '/view?filename=a+b.png&subfolder=darkroom&type=temp' } },
    ],
    [
      'has saved an image on a server that keeps no status',
      { outputs: { 9: { images: [image('output')] } } },
      { kind: 'succeeded' },
    ],
    [
      'has ended without an image',
      { status: SUCCESS, outputs: { 1: { text: ['hello'] } } },
      { kind: 'failed', failure: { code: 'unusable_result' } },
    ],
    [
      'has failed',
      {
        status: {
          status_str: 'error',
          completed: false,
          messages: [
            ['execution_start', {}],
            ['execution_error', { node_type: 'KSampler', exception_message: 'out of memory' }],
          ],
        },
      },
      {
        kind: 'failed',
        failure: {
          code: 'provider_failed',
          message: 'The image service could not make this image: KSampler: out of memory',
        },
      },
    ],
    [
      'has failed without words',
      { status: { status_str: 'error', completed: false } },
      { kind: 'failed', failure: { code: 'provider_failed' } },
    ],
    [
      'was interrupted',
      { status: { status_str: 'error', messages: [['execution_interrupted', {}]] } },
      { kind: 'failed', failure: { code: 'cancelled' } },
    ],
    [
      'has ended in a way that nobody knows',
      { status: { status_str: 'odd' } },
      { kind: 'unavailable' },
    ],
    ['has a history that cannot be read', { outputs: 'none' }, { kind: 'unavailable' }],
  ])('that %s is observed as that', async (_what, fields, expected) => {
    history(entry(fields))
    const seen = await observe()
    const withUrl =
      'result' in expected && typeof expected.result === 'object' && expected.result !== null
        ? {
            ...expected,
            result: { url: `${server.url}${String(Object.values(expected.result)[0])}` },
          }
        : expected
    expect(seen).toMatchObject(withUrl)
  })

  test.each(['queue_running', 'queue_pending'] as const)(
    'that is in %s is pending',
    async (where) => {
      history(NONE)
      queue(inQueue(where))
      expect(await observe()).toMatchObject({ kind: 'pending' })
    },
  )

  test('that ends between two looks is not taken for missing', async () => {
    history(NONE, done)
    queue(EMPTY)
    expect(await observe()).toMatchObject({ kind: 'succeeded' })
  })

  test('that is nowhere is missing, which proves nothing', async () => {
    history(NONE)
    queue(inQueue('queue_running', 'another'))
    expect(await observe()).toMatchObject({ kind: 'missing' })
  })

  test.each(failedLooks)('looked at in vain, by %s, is not thereby known', async (_what, act) => {
    history(act)
    expect(await observe()).toMatchObject({ kind: 'unavailable' })
    history(NONE)
    queue(act)
    expect(await observe()).toMatchObject({ kind: 'unavailable' })
  })

  test('has a name that is no way to another address', async () => {
    history(NONE)
    queue(EMPTY)
    await provider().observe(TaskId.parse('../queue?x'), MODEL, signal())
    expect(server.heard()[0]?.path).toBe('/history/..%2Fqueue%3Fx')
  })
})

describe('a lost submission', () => {
  const lookUp = () => provider().lookUp?.(submitRequest({ model: MODEL }), TEST_NOW, signal())

  test.each<readonly [string, Script]>([
    ['in the history', { history: [done] }],
    ['in the queue', { queue: [inQueue('queue_pending')] }],
    ['running', { queue: [inQueue('queue_running')] }],
  ])('is found %s, by our reference', async (_what, script) => {
    play(script)
    expect(await lookUp()).toEqual({ kind: 'found', taskId: ATTEMPT_ID })
  })

  test('that is nowhere is absent, which proves nothing', async () => {
    history(NONE)
    queue(EMPTY)
    expect(await lookUp()).toMatchObject({ kind: 'absent' })
  })

  test('is not absent because the server could not be asked', async () => {
    history(reset)
    expect(await lookUp()).toMatchObject({ kind: 'unavailable' })
  })
})

describe('a wish to stop', () => {
  const cancel = () => provider().cancel?.(TASK, MODEL, signal())
  const asked = (path: RegExp, act: Act = saying(200, '')) => server.on('POST', path, act)
  const postsTo = (path: string) =>
    server
      .heard()
      .filter((heard) => heard.method === 'POST' && heard.path === path)
      .map(jsonOf)

  test('takes a job that waits out of the queue, and that is sure', async () => {
    history(NONE)
    queue(inQueue('queue_pending'), EMPTY)
    asked(/^\/queue$/)
    expect(await cancel()).toEqual({ kind: 'cancelled' })
    expect(postsTo('/queue')).toEqual([{ delete: [ATTEMPT_ID] }])
  })

  test.each([
    ['runs', [inQueue('queue_running')]],
    ['begins to run meanwhile', [inQueue('queue_pending'), inQueue('queue_running')]],
  ] as const)('only asks a job that %s to stop', async (_what, states) => {
    history(NONE)
    queue(...states)
    asked(/^\/(queue|interrupt)$/)
    expect(await cancel()).toEqual({ kind: 'asked' })
    expect(postsTo('/interrupt')).toEqual([{ prompt_id: ATTEMPT_ID }])
  })

  test.each<readonly [string, readonly Act[], readonly Act[]]>([
    ['has ended', [done], [EMPTY]],
    ['ends meanwhile', [NONE, done], [inQueue('queue_pending'), EMPTY]],
  ])('comes too late for a job that %s', async (_what, histories, queues) => {
    history(...histories)
    queue(...queues)
    asked(/^\/queue$/)
    expect(await cancel()).toEqual({ kind: 'too-late' })
  })

  test.each<readonly [string, Script]>([
    ['is nowhere', { queue: [EMPTY] }],
    ['cannot be looked for', { history: [reset] }],
    ['stays in the queue', { queue: [inQueue('queue_pending')], post: saying(500) }],
    ['cannot be taken out of the queue', { queue: [inQueue('queue_pending')], post: reset }],
    [
      'cannot be looked for any more',
      { queue: [inQueue('queue_pending'), reset], post: saying(200, '') },
    ],
    ['cannot be interrupted', { queue: [inQueue('queue_running')], post: saying(500) }],
    ['cannot be asked', { queue: [inQueue('queue_running')], post: reset }],
  ])('for a job that %s came to nothing that is known', async (_what, script) => {
    play(script)
    expect(await cancel()).toMatchObject({ kind: 'unavailable' })
  })
})

test('is offered when its address is known, and stops the process when that is none', () => {
  expect(comfyUi.open({}).isConfigured).toBe(false)
  expect(comfyUi.open({ COMFYUI_URL: 'http://gpu.lan:8188/' }).isConfigured).toBe(true)
  expect(() => comfyUi.open({ COMFYUI_URL: 'gpu.lan' })).toThrow('expected an http')
  const made = comfyUi.open({ COMFYUI_URL: 'http://gpu.lan:8188/' }).create(() => TEST_NOW)
  expect(made.trustedOrigins).toEqual(['http://gpu.lan:8188'])
})
