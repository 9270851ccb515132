import { QueryClient } from '@tanstack/react-query'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  attemptsQuery,
  mergeAttempts,
  missedIds,
  NoAnswerError,
  pollIntervalMs,
  SignedOutError,
  withAttempt,
} from './attempts-query'
import { attemptOf, BALANCE } from './testing/attempt'

const view = (poll_after_ms: number | null) => ({ attempts: [], balance: BALANCE, poll_after_ms })
const visible = { data: view(1_000), error: null, isHidden: false }

describe('the poll', () => {
  test('goes at the pace of the server', () => {
    expect(pollIntervalMs(visible)).toBe(1_000)
    expect(pollIntervalMs({ ...visible, data: view(15_000) })).toBe(15_000)
  })

  test('stops when everything is final', () => {
    expect(pollIntervalMs({ ...visible, data: view(null) })).toBe(false)
  })

  test.each([
    ['an error', { ...visible, error: new Error('network') }],
    ['an error after everything was final', { ...visible, data: view(null), error: new Error() }],
    ['no data yet', { ...visible, data: undefined }],
  ])('goes on every 5 s after %s', (_, situation) => {
    expect(pollIntervalMs(situation)).toBe(5_000)
  })

  test('waits as long as the server asks, and never less than after any error', () => {
    const error = (ms: number) => ({ ...visible, error: new NoAnswerError('429', ms) })
    expect(pollIntervalMs(error(30_000))).toBe(30_000)
    expect(pollIntervalMs(error(0))).toBe(5_000)
  })

  test('is five times slower in a hidden tab, and not faster than 15 s', () => {
    expect(pollIntervalMs({ ...visible, isHidden: true })).toBe(15_000)
    expect(pollIntervalMs({ ...visible, data: view(5_000), isHidden: true })).toBe(25_000)
    expect(pollIntervalMs({ ...visible, data: view(null), isHidden: true })).toBe(false)
  })

  test('stops when nobody is signed in', () => {
    expect(pollIntervalMs({ ...visible, error: new SignedOutError('401') })).toBe(false)
  })
})

describe('what the tab has seen', () => {
  test('is asked for by id when it was open and left the newest list', () => {
    const before = [attemptOf(1), attemptOf(2, { state: 'completed' }), attemptOf(3)]
    expect(missedIds(before, [attemptOf(3)])).toEqual([attemptOf(1).id])
  })

  test('is newest first, each attempt once and as the newer answer has it', () => {
    const merged = mergeAttempts(
      [attemptOf(2), attemptOf(1)],
      [attemptOf(3), attemptOf(2, { state: 'completed' })],
    )
    expect(merged.map(({ id, state }) => [id, state])).toEqual([
      [attemptOf(3).id, 'pending'],
      [attemptOf(2).id, 'completed'],
      [attemptOf(1).id, 'pending'],
    ])
  })

  test('includes an attempt that was just started, with its money, and is polled for it', () => {
    const before = { ...view(null), attempts: [attemptOf(1, { state: 'completed' })] }
    const balance = { ...BALANCE, available: 92, held: 8 }
    const after = withAttempt(before, { attempt: attemptOf(2), balance })
    expect(after.attempts.map(({ id }) => id)).toEqual([attemptOf(2).id, attemptOf(1).id])
    expect(after).toMatchObject({ balance, poll_after_ms: 1_000 })
  })
})

describe('an answer that would be the same again', () => {
  afterEach(() => vi.unstubAllGlobals())

  const ACCOUNT = 'an-account'
  const answer = (available: number, etag: string) =>
    Response.json(
      { ...view(1_000), attempts: [attemptOf(1)], balance: { ...BALANCE, available } },
      { headers: { etag } },
    )
  function poll(...answers: readonly Response[]) {
    const asked: (string | null)[] = []
    let next = 0
    vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
      asked.push(new Headers(init.headers).get('if-none-match'))
      return Promise.resolve(answers[next++])
    })
    const client = new QueryClient()
    const fetchNow = () => client.query({ ...attemptsQuery(ACCOUNT), staleTime: 0 })
    return { asked, client, fetchNow }
  }

  test('is not sent: what was there stays, and the next change is seen', async () => {
    const notModified = new Response(null, { status: 304 })
    const { asked, fetchNow } = poll(answer(92, 'W/"1"'), notModified, answer(88, 'W/"2"'))
    const first = await fetchNow()
    expect(await fetchNow()).toBe(first)
    expect((await fetchNow()).balance.available).toBe(88)
    expect(asked).toEqual([null, 'W/"1"', 'W/"1"'])
  })

  test('is asked for whole after the page learned of something by itself', async () => {
    const { asked, client, fetchNow } = poll(answer(92, 'W/"1"'), answer(88, 'W/"2"'))
    await fetchNow()
    client.setQueryData(
      attemptsQuery(ACCOUNT).queryKey,
      (now) =>
        now &&
        withAttempt(now, {
          attempt: attemptOf(2, { state: 'completed' }),
          balance: BALANCE,
        }),
    )
    await fetchNow()
    expect(asked).toEqual([null, null])
  })
})
