import { expect, test } from 'vitest'
import { parseStartAnswer, type StartRefusalView } from './start-answer'
import { attemptOf, BALANCE } from './testing/attempt'
import { isAttemptsView, isAttemptView, isBalanceView } from './view-shapes'
import { AttemptView, BalanceView } from './views'

const FULL = attemptOf(1, {
  settings: { width: 512, height: 512, seed: 1, negativePrompt: 'fog', quality: 'high' },
  failure: { code: 'moderated', message: 'No.' },
  artwork: {
    url: '/a',
    content_type: 'image/png',
    width: 1,
    height: 1,
    size_bytes: 1,
    blur: 'data:',
  },
  progress: 0.5,
  looked_at: '2026-11-30T07:00:00.000Z',
})

test('what the server says is believed', () => {
  expect(isAttemptView(FULL)).toBe(true)
  expect(isAttemptsView({ attempts: [FULL], balance: BALANCE, poll_after_ms: null })).toBe(true)
})

// The plain checks of the browser and the server's own agree on what is no answer.
const wrong = [undefined, 7.5, 'x', {}, [], true]
const fieldsOf = (whole: object) =>
  Object.keys(whole).flatMap((field) => wrong.map((value) => [field, value] as const))

test.each(fieldsOf(FULL))(
  'an attempt whose %s is %j is as little believed as by the server',
  (field, value) => {
    const changed: unknown = { ...FULL, [field]: value }
    if (!AttemptView.safeParse(changed).success && !/id$/.test(field)) {
      expect(isAttemptView(changed)).toBe(false)
    }
    if (AttemptView.safeParse(changed).success) expect(isAttemptView(changed)).toBe(true)
  },
)

test.each(fieldsOf(BALANCE))(
  'a balance whose %s is %j is judged as by the server',
  (field, value) => {
    const changed: unknown = { ...BALANCE, [field]: value }
    expect(isBalanceView(changed)).toBe(BalanceView.safeParse(changed).success)
  },
)

const refusals: readonly StartRefusalView[] = [
  {
    code: 'invalid-input',
    fields: [{ field: 'prompt', code: 'too-long', values: { most: 4_000 }, message: 'No.' }],
  },
  { code: 'insufficient-credits', available: 1, required: 4 },
  { code: 'spending-limit', limit: 1, used: 1, required: 4 },
  { code: 'request-id-reused' },
  { code: 'model-unavailable', isOffered: true },
  { code: 'account-suspended' },
  { code: 'guest-limit' },
  { code: 'signed-out' },
]

test.each(refusals)('the refusal $code is understood', (refusal) => {
  expect(parseStartAnswer({ ok: false, refusal })).toEqual({ ok: false, refusal })
})

test.each([
  ['a page', '<html>'],
  ['nothing', undefined],
  ['a refusal of another version', { ok: false, refusal: { code: 'new' } }],
  ['half a refusal', { ok: false, refusal: { code: 'insufficient-credits', available: 1 } }],
  ['a start without its balance', { ok: true, value: { attempt: FULL, replayed: false } }],
  ['both', { ok: 'yes', value: {}, refusal: {} }],
])('%s is no answer', (_, answer) => {
  expect(() => parseStartAnswer(answer)).toThrow('not an answer')
})
