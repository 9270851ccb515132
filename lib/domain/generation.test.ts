import { expect, test } from 'vitest'
import { generation } from '@/test/factories'
import { Generation, GenerationRequest, Prompt, Settings } from './generation'
import { codePointCount, PROMPT_CODE_POINTS_MAX, promptProblem, promptProblemWords } from './prompt'

const problemOf = (prompt: string) => promptProblem(prompt, PROMPT_CODE_POINTS_MAX)

test.each([
  ['an emoji of several code points', '👩‍👩‍👧‍👦 at the beach'],
  ['right-to-left text', 'ثعلب أحمر في الجبال'],
  ['marks of direction', '\u202Eabc\u202C'],
  ['Chinese, Japanese and Korean', '紅狐狸 赤い狐 붉은 여우'],
  ['composed letters', 'caf\u00e9'],
  ['decomposed letters', 'cafe\u0301'],
  ['characters beyond the basic plane', '𠜎 𝄞 🦊'],
  ['white space around and within', '  a\r\n\tb\u00a0 '],
  ['what looks like a path, a tag or SQL', `../"/\\:*?<>|'; drop table attempt; --`],
  ['control characters other than NUL', 'a\u0001\u001b[31mb'],
  ['non-characters', '\uffff\ufffe'],
])('keeps %s exactly as typed', (_what, prompt) => {
  expect(Prompt.parse(prompt)).toBe(prompt)
})

test.each([
  ['nothing', '', 'empty'],
  ['white space alone', ' \t\n\u3000', 'empty'],
  ['a NUL', 'a\u0000b', 'nul-character'],
  ['a NUL alone', '\u0000', 'nul-character'],
  ['a high half alone', 'a\ud83d', 'lone-surrogate'],
  ['a low half alone', '\ude00a', 'lone-surrogate'],
  ['two halves in the wrong order', '\ude00\ud83d', 'lone-surrogate'],
] as const)('refuses %s by name', (_what, prompt, problem) => {
  expect(problemOf(prompt)).toBe(problem)
  expect(Prompt.safeParse(prompt).error?.issues).toMatchObject([
    { message: promptProblemWords[problem], params: { problem } },
  ])
})

test.each([
  ['letters', 'a'],
  ['letters of three bytes', '狐'],
  ['emoji of two code units', '🦊'],
])('counts %s by code points: the limit fits and one more does not', (_what, character) => {
  const limit = PROMPT_CODE_POINTS_MAX
  expect(problemOf(character.repeat(limit - 1))).toBeUndefined()
  expect(problemOf(character.repeat(limit))).toBeUndefined()
  expect(problemOf(character.repeat(limit + 1))).toBe('too-long')
  expect(problemOf(character.repeat(100_000))).toBe('too-long')
})

test('counts a joined emoji by its parts and a half as one', () => {
  expect(codePointCount('')).toBe(0)
  expect(codePointCount('👩‍👩‍👧')).toBe(5)
  expect(codePointCount('e\u0301')).toBe(2)
  expect(codePointCount('\ud83d')).toBe(1)
})

test.each([
  ['width', 255, false],
  ['width', 256, true],
  ['width', 2_048, true],
  ['width', 2_049, false],
  ['height', 255, false],
  ['height', 256, true],
  ['height', 2_048, true],
  ['height', 2_049, false],
  ['width', 512.5, false],
  ['seed', -1, false],
  ['seed', 0, true],
  ['seed', 2 ** 32 - 1, true],
  ['seed', 2 ** 32, false],
  ['seed', 0.5, false],
  ['seed', Number.NaN, false],
  ['seed', '1', false],
  ['seed', null, false],
])('settings with %s %s are accepted: %s', (name, value, accepted) => {
  const parsed = Settings.safeParse({ ...generation.settings, [name]: value })
  expect(parsed.success).toBe(accepted)
  if (!accepted) expect(parsed.error?.issues[0]?.message).toMatch(new RegExp(`^${name}: expected`))
})

test.each([
  ['a price', { price: 0 }],
  ['an account', { accountId: 'somebody' }],
  ['a state', { state: 'completed' }],
])('refuses an input that brings %s of its own', (_what, extra) => {
  expect(Generation.safeParse({ ...generation, ...extra }).success).toBe(false)
})

test('refuses settings that nobody knows', () => {
  const settings = { ...generation.settings, provider_url: 'http://169.254.169.254/' }
  expect(Generation.safeParse({ ...generation, settings }).success).toBe(false)
})

test.each([
  ['simulator'],
  ['Simulator/proof'],
  ['simulator/'],
  ['simulator/a b'],
  ['../proof'],
  [7],
])('refuses %s for a model', (model) => {
  const { error } = Generation.safeParse({ ...generation, model })
  expect(error?.issues[0]?.message).toMatch(/^model: expected/)
})

test.each([['7'], [''], ['01900000-0000-7000-8000-00000000000'], [undefined], [{}]])(
  'refuses %s for a request id',
  (requestId) => {
    const { error } = GenerationRequest.safeParse({ ...generation, requestId })
    expect(error?.issues).toMatchObject([{ path: ['requestId'], message: 'expected a UUID' }])
  },
)

test('a negative prompt is kept as typed, or refused by name', () => {
  const settings = { width: 512, height: 512 }
  expect(Settings.parse({ ...settings, negativePrompt: ' blurry ' }).negativePrompt).toBe(
    ' blurry ',
  )
  for (const negativePrompt of ['', 'nul \u0000', 'x'.repeat(2_001), 7]) {
    const { error } = Settings.safeParse({ ...settings, negativePrompt })
    expect(error?.issues[0]?.message).toMatch(/^negativePrompt: /)
  }
})
