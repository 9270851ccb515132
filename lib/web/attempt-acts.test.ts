import { expect, test } from 'vitest'
import { askAbout, type News } from './attempt-acts'
import { attemptOf, BALANCE } from './testing/attempt'

const value = { attempt: attemptOf(1, { cancel_requested: true }), balance: BALANCE }

async function asking(ask: () => Promise<unknown>) {
  const learned: News[] = []
  const outcome = await askAbout({
    ask,
    isOutdated: (error) => error instanceof Error && error.message === 'outdated',
    onNews: (news) => Promise.resolve(void learned.push(news)),
  })
  return { outcome, learned: learned.length }
}

test('an answer is what is known from then on', async () => {
  expect(await asking(() => Promise.resolve({ ok: true, value }))).toEqual({
    outcome: 'done',
    learned: 1,
  })
})

test.each<readonly [string, () => Promise<unknown>]>([
  ['no-answer', () => Promise.reject(new Error('network'))],
  ['no-answer', () => Promise.resolve('<html>')],
  ['no-answer', () => Promise.resolve(undefined)],
  ['outdated', () => Promise.reject(new Error('outdated'))],
  ['signed-out', () => Promise.resolve({ ok: false, refusal: { code: 'signed-out' } })],
  ['not-found', () => Promise.resolve({ ok: false, refusal: { code: 'not-found' } })],
])('%s teaches nothing', async (outcome, ask) => {
  expect(await asking(ask)).toEqual({ outcome, learned: 0 })
})
