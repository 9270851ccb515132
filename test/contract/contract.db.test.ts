import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callbackTokenOf } from '@/lib/use-cases/callback-token'
import { receiveCallback } from '@/lib/use-cases/receive-callback'
import { openWorld } from '@/test/world'
import { openBench, type Bench } from './bench'
import type { Fault } from './fault-proxy'
import { surfaces } from './surfaces'

// What every provider's adapter has to keep, whatever its protocol: over real sockets, with the
// number of submissions on the wire, of tasks at the provider, and the ledger.

const world = openWorld()

/** Whether something that the provider documents tells of a task whose answer was lost. */
const canFind = ({ capabilities }: Bench) =>
  capabilities.lookup !== undefined ||
  capabilities.callback !== undefined ||
  capabilities.idempotentForMs !== undefined

describe.each(surfaces)('$model', (surface) => {
  let bench: Bench
  beforeAll(async () => {
    bench = await openBench(world(), surface)
  })
  beforeEach(async () => {
    bench.proxy.arm(surface.isSubmission)
    bench.receiver.reset()
    await bench.disarm()
    await world().rows('delete from provider_block')
  })
  afterAll(() => bench.close())

  const begin = async (words?: string, ...faults: readonly Fault[]) => {
    bench.proxy.arm(surface.isSubmission, ...faults)
    return bench.start(words)
  }
  const balanceOf = ({ key }: { key: { accountId: string } }) =>
    world().rows('select available, held, spent from account where id = $1', key.accountId)

  async function expectDelivered(started: Awaited<ReturnType<typeof begin>>, posts = 1) {
    expect(await bench.untilEnded(started.key)).toBe('completed')
    expect(bench.proxy.submissions()).toBe(posts)
    expect(await bench.tasksOf(started.prompt)).toBe(1)
    expect(await world().entries(started.key)).toEqual(['reserved', 'settled'])
    const { price } = started
    expect(await balanceOf(started)).toEqual([{ available: 100 - price, held: 0, spent: price }])
  }

  async function expectReleased(
    started: Awaited<ReturnType<typeof begin>>,
    { code, posts = 1, tasks = 0 }: { code?: string | RegExp; posts?: number; tasks?: number } = {},
  ) {
    expect(await bench.untilEnded(started.key)).toBe('failed')
    const { failure_code, settlement } = await world().attempt(started.key)
    expect(settlement).toBe('released')
    if (code !== undefined) expect(failure_code).toMatch(code)
    expect(bench.proxy.submissions()).toBe(posts)
    expect(await bench.tasksOf(started.prompt)).toBe(tasks)
    expect(await world().entries(started.key)).toEqual(['reserved', 'released'])
    expect(await balanceOf(started)).toEqual([{ available: 100, held: 0, spent: 0 }])
  }

  async function expectUnresolved(started: Awaited<ReturnType<typeof begin>>, tasks: number) {
    await bench.turn(started.key)
    expect(await world().attempt(started.key)).toMatchObject({
      state: 'status_unknown',
      settlement: null,
    })
    expect(bench.proxy.submissions()).toBe(1)
    expect(await bench.tasksOf(started.prompt)).toBe(tasks)
    expect(await world().entries(started.key)).toEqual(['reserved'])
    const { price } = started
    expect(await balanceOf(started)).toEqual([{ available: 100 - price, held: price, spent: 0 }])
  }

  test('accepted: one submission, one task, one image, one charge, one line of usage', async () => {
    const started = await begin()
    await expectDelivered(started)
    const usage = await world().rows(
      'select kind, outcome, http_status, address from usage_record where attempt_id = $1',
      started.key.id,
    )
    expect(usage).toHaveLength(1)
    expect(usage[0]).toMatchObject({ kind: 'submit' })
    expect(usage[0]?.['http_status']).toBeGreaterThanOrEqual(200)
    expect(JSON.stringify(usage)).not.toContain('a-key-of-the-tests')
  })

  // The provider has taken it. Found by what it documents, or unresolved with the hold kept.
  const lostAfter: readonly (readonly [string, Fault])[] = [
    ['reset', { kind: 'reset-after' }],
    ['never given', { kind: 'silent-after' }],
    ['cut short', { kind: 'cut-short-after' }],
    ['rubbish', { kind: 'answer-after', status: 200, body: '<html>ok</html>' }],
    ['a gateway’s 502', { kind: 'answer-after', status: 502, body: 'Bad Gateway' }],
    ['a gateway’s 504', { kind: 'answer-after', status: 504, body: '' }],
    ['a 500', { kind: 'answer-after', status: 500, body: '' }],
  ]
  test.each(lostAfter)('the answer to an accepted submission is %s', async (_how, fault) => {
    const started = await begin(undefined, fault)
    if (canFind(bench)) {
      const repeats = bench.capabilities.idempotentForMs === undefined ? 0 : 1
      await expectDelivered(started, 1 + repeats)
    } else await expectUnresolved(started, 1)
  })

  const lostBefore: readonly (readonly [string, Fault])[] = [
    ['reset', { kind: 'reset-before' }],
    ['not answered', { kind: 'silent-before' }],
    ['answered with 503 by a proxy', { kind: 'answer-before', status: 503, body: '' }],
    ['answered with 408', { kind: 'answer-before', status: 408, body: '' }],
    ['redirected', { kind: 'answer-before', status: 302, body: '', headers: { location: '/x' } }],
  ]
  test.each(lostBefore)('a submission that never arrived, and is %s', async (_how, fault) => {
    const started = await begin(undefined, fault)
    // Only where the same POST makes no second task may it be sent again.
    if (bench.capabilities.idempotentForMs !== undefined) await expectDelivered(started, 2)
    else await expectUnresolved(started, 0)
  })

  const does = (what: NonNullable<typeof surface.never>[number]) =>
    test.skipIf(surface.never?.includes(what))

  /** Some providers refuse at once, others only by the task that they made. */
  async function expectRefused(drill: string, code: string) {
    const started = await begin(drill)
    await bench.untilEnded(started.key)
    const tasks = await bench.tasksOf(started.prompt)
    expect(tasks).toBeLessThanOrEqual(1)
    await expectReleased(started, { code, tasks })
  }

  does('refuses')('a refused input fails once, and is not charged', () =>
    expectRefused('#drill:reject', 'invalid_input'),
  )

  does('moderates')('a prompt refused for its content says so', () =>
    expectRefused('#drill:moderate', 'moderated'),
  )

  does('asks to wait')('asked to wait, it is sent again, or fails with proof', async () => {
    await bench.arm('429')
    const started = await begin()
    if (surface.waitsTooLong) await expectReleased(started, { code: 'provider_unavailable' })
    else await expectDelivered(started, 2)
  })

  does('asks to wait')('asked to wait for ever, it fails and is not charged', async () => {
    await bench.arm('429', { times: 3 })
    const posts = surface.waitsTooLong ? 1 : 3
    await expectReleased(await begin(), { code: 'provider_unavailable', posts })
  })

  does('asks for a key').each(['bad-key', 'no-credit'])(
    '%s is ours to mend: failed at once, not charged, and out of offer',
    async (fault) => {
      await bench.arm(fault)
      const started = await begin()
      await expectReleased(started, { code: 'provider_unavailable' })
      const blocked = await world().rows('select provider from provider_block')
      expect(blocked).toEqual([{ provider: surface.model.split('/')[0] }])
      await expect(bench.start()).rejects.toThrow('model-unavailable')
    },
  )

  test('a task that fails is not charged and not made again', async () => {
    const started = await begin('#drill:fail')
    if (bench.capabilities.answers === 'later') {
      await expectReleased(started, { tasks: 1 })
      return
    }
    // Where the answer is the result, a server error may prove nothing: then the hold stays.
    await bench.turn(started.key)
    expect(['failed', 'status_unknown']).toContain((await world().attempt(started.key)).state)
    expect(await bench.tasksOf(started.prompt)).toBe(1)
    expect(await world().entries(started.key)).not.toContain('settled')
  })

  does('moderates')(
    'a task that is refused for its content after all is released, and says so',
    async () => {
      await expectReleased(await begin('#drill:moderate-late'), { code: 'moderated', tasks: 1 })
    },
  )

  test('a result that is no image is an established failure, and not made again', async () => {
    await expectReleased(await begin('#drill:corrupt'), { code: 'unusable_result', tasks: 1 })
  })

  test('status that cannot be looked at changes nothing, and the image comes', async () => {
    await bench.arm('status-outage', { ms: 400 })
    await expectDelivered(await begin())
  })

  test('a result that cannot be fetched for a while is fetched later', async () => {
    await bench.arm('result-down', { ms: 400 })
    await expectDelivered(await begin())
  })

  test('callbacks that come three times bring one image and one charge', async () => {
    await expectDelivered(await begin('#drill:callback-twice'))
  })

  test('a forged callback changes nothing, and the true one after it counts', async () => {
    const started = await begin('#drill:callback-forged', { kind: 'reset-after' })
    if (!canFind(bench)) {
      await expectUnresolved(started, 1)
      return
    }
    const repeats = bench.capabilities.idempotentForMs === undefined ? 0 : 1
    await expectDelivered(started, 1 + repeats)
  })

  test('a result that expired before it was fetched is nobody’s failure, and not made again', async () => {
    const started = await begin('#drill:expire')
    await bench.turn(started.key, 12)
    const { state, settlement } = await world().attempt(started.key)
    // What came with the answer cannot expire; what is gone stays open, with its hold.
    if (state === 'completed') expect(settlement).toBe('settled')
    else {
      expect(['pending', 'status_unknown', 'storage_failed']).toContain(state)
      expect(settlement).toBeNull()
    }
    expect(bench.proxy.submissions()).toBe(1)
    expect(await bench.tasksOf(started.prompt)).toBe(1)
  })

  test('a callback replayed, or sent to another attempt’s address, changes nothing', async () => {
    if (bench.capabilities.callback !== 'attempt') return
    const started = await begin()
    await expectDelivered(started)
    const other = await begin(undefined, { kind: 'reset-before' })
    await bench.turn(other.key, 2)
    const [first] = bench.receiver.received()
    expect(first?.outcome).toBe('kept')
    if (!first) return

    const deps = { ...bench.deps, verifiers: bench.verifiers }
    const before = await world().history(other.key)
    expect(await receiveCallback(deps, first.request)).toBe('ignored')
    const token = callbackTokenOf(bench.deps.callbackSecret, other.key.id)
    await receiveCallback(deps, { ...first.request, token })
    await bench.turn(other.key, 2)
    expect(await world().attempt(other.key)).toMatchObject({ task_id: null, settlement: null })
    expect((await world().history(other.key)).filter((kind) => kind === 'task_reported')).toEqual(
      [],
    )
    expect(before).not.toContain('task_reported')
    expect(await world().entries(started.key)).toEqual(['reserved', 'settled'])
  })

  test('a callback with nothing to prove it is refused, and keeps nothing', async () => {
    if (bench.capabilities.callback === undefined) return
    const started = await begin(undefined, { kind: 'reset-before' })
    await bench.turn(started.key, 2)
    const outcome = await receiveCallback(
      { ...bench.deps, verifiers: bench.verifiers },
      {
        provider: surface.model.split('/')[0] ?? '',
        token: callbackTokenOf('another secret', started.key.id),
        header: () => null,
        body: Buffer.from('{"id":"task-1","status":"succeeded"}'),
        now: new Date(),
      },
    )
    expect(outcome).toBe('forged')
    expect(
      await world().rows('select from callback where attempt_id = $1', started.key.id),
    ).toEqual([])
  })
})
