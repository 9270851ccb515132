import { expect, test } from 'vitest'
import { wordsOf } from '@/test/words'
import { paceWords as paceMessages } from './pace-words'
import { attemptOf } from './testing/attempt'

const english = wordsOf('en')
type Asked = Parameters<typeof paceMessages>
function paceWords(attempt: Asked[0], model: Asked[1], nowMs: number) {
  const pace = paceMessages(attempt, model, nowMs, english)
  return pace && { clocks: english(pace.clocks), note: pace.note && english(pace.note) }
}

const CREATED = '2026-11-30T12:00:00.000Z'
const at = (seconds: number) => Date.parse(CREATED) + seconds * 1_000
const MODEL = { name: 'Safelight', usualSeconds: 4 }
const attempt = (change: Parameters<typeof attemptOf>[1]) =>
  attemptOf(1, { created_at: CREATED, updated_at: '2026-11-30T12:00:03.000Z', ...change })

test('waiting and rendering have clocks of their own', () => {
  expect(paceWords(attempt({ state: 'initializing' }), MODEL, at(7))).toEqual({
    clocks: 'Waiting 0:07',
    note: undefined,
  })
  expect(paceWords(attempt({ state: 'submitting' }), MODEL, at(7))?.clocks).toBe(
    'Waited 0:03 · sent 0:04 ago',
  )
  expect(paceWords(attempt({ state: 'pending' }), MODEL, at(7))?.clocks).toBe(
    'Waited 0:03 · rendering 0:04',
  )
})

test.each([
  [4, 'Safelight mostly takes about 4 s.'],
  [12, 'Safelight mostly takes about 4 s.'],
  [13, 'Longer than usual: Safelight mostly takes about 4 s. It goes on and is never sent twice.'],
])('after %s s says what is usual, and when this is not', (seconds, note) => {
  expect(paceWords(attempt({}), MODEL, at(seconds))?.note).toBe(note)
})

test('nothing is said of what is usual with a model that is not offered any more', () => {
  expect(paceWords(attempt({}), undefined, at(500))?.note).toBeUndefined()
})

test.each(['status_unknown', 'delivering', 'completed', 'failed'] as const)(
  'no part of %s is timed',
  (state) => {
    expect(paceWords(attempt({ state }), MODEL, at(7))).toBeUndefined()
  },
)

test('once a wish to cancel is noted, the clock of its part is not guessed', () => {
  expect(paceWords(attempt({ cancel_requested: true }), MODEL, at(7))).toBeUndefined()
})
