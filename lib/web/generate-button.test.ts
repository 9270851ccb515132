import { describe, expect, test } from 'vitest'
import { PROMPT_CODE_POINTS_MAX } from '@/lib/domain/prompt'
import type { Draft } from './draft'
import { wordsOf } from '@/test/words'
import { againButton as again, generateButton as generate } from './generate-button'
import { PLAIN, RICH } from './testing/offer'

type Situation = Parameters<typeof generate>[0]
const generateButton = (situation: Situation, say = wordsOf('en')) => generate(situation, say)
const againButton = (situation: Situation, say = wordsOf('en')) => again(situation, say)

const DRAFT: Draft = {
  prompt: 'A lighthouse',
  model: PLAIN.id,
  width: 1024,
  height: 1024,
  seed: { kind: 'random' },
  negativePrompt: '',
  quality: undefined,
  referenceImages: [],
  images: 1,
}
const SITUATION = {
  draft: DRAFT,
  model: PLAIN,
  available: 96,
  freeToday: 0,
  isGuest: false,
  isSignedOut: false,
  isSending: false,
  isJustQueued: false,
  isAgain: false,
}

describe('the button', () => {
  test('names the free image where one is left, and needs no credits for it', () => {
    expect(generateButton({ ...SITUATION, available: 0, freeToday: 3 })).toMatchObject({
      label: 'Generate: 1 of today’s 3 free',
      isEnabled: true,
    })
  })

  test('tells a guest without a free image how to go on', () => {
    const button = generateButton({ ...SITUATION, available: 0, isGuest: true })
    expect(button.isEnabled).toBe(false)
    expect(button.reason).toContain('Create an account')
  })

  test('names the cost and what stays', () => {
    expect(generateButton(SITUATION)).toEqual({
      label: 'Generate: 4 credits, 92 left',
      quotedCredits: 4,
      isEnabled: true,
      allowsShortcut: true,
      reason: undefined,
      enoughFor: undefined,
    })
  })

  test('offers another of what is still open to a click, and not to the shortcut', () => {
    expect(generateButton({ ...SITUATION, available: 92, isAgain: true })).toMatchObject({
      label: 'Generate another: 4 credits, 88 left',
      isEnabled: true,
      allowsShortcut: false,
    })
  })

  test.each([
    [{ available: 2 }, 'You have 2 credits; this needs 4.'],
    [{ available: 1 }, 'You have 1 credit; this needs 4.'],
    [{ isSignedOut: true }, 'You are signed out. Sign in again first.'],
    [{ draft: { ...DRAFT, prompt: ' \n' } }, 'Write a prompt first.'],
    [{ draft: undefined }, 'No model is offered just now.'],
    [
      { model: { ...PLAIN, unavailable: 'Not just now.' } },
      'This model is not available at the moment. Choose another one.',
    ],
    [
      { draft: { ...DRAFT, negativePrompt: 'a\u0000' }, model: { ...PLAIN, negativePrompt: true } },
      'The negative prompt contains a NUL character (U+0000), which cannot be kept.',
    ],
    [
      { draft: { ...DRAFT, prompt: 'x'.repeat(PROMPT_CODE_POINTS_MAX + 1) } },
      'The prompt is too long for Safelight: at most 4,000 characters.',
    ],
  ])('says why it cannot be pressed: %j', (change, reason) => {
    const button = generateButton({ ...SITUATION, ...change })
    expect(button).toMatchObject({ isEnabled: false, allowsShortcut: false, reason })
    expect(button.label).toMatch(/^Generate/)
  })

  test('is disabled while a request is sent and just after it was queued', () => {
    expect(generateButton({ ...SITUATION, isSending: true })).toMatchObject({
      label: 'Sending',
      isEnabled: false,
    })
    expect(generateButton({ ...SITUATION, isJustQueued: true })).toMatchObject({
      label: 'Queued',
      isEnabled: false,
    })
  })

  test('can spend the last credit', () => {
    expect(generateButton({ ...SITUATION, available: 4 }).label).toBe('Generate: 4 credits, 0 left')
  })

  test.each([
    [{}, 'Generate 4: 16 credits, 80 left'],
    [{ freeToday: 5 }, 'Generate 4: 4 of today’s 5 free'],
    [{ freeToday: 2 }, 'Generate 4: 2 free and 8 credits, 88 left'],
    [{ isAgain: true }, 'Generate 4 more: 16 credits, 80 left'],
  ])('names what several pictures take, free ones first: %j', (change, label) => {
    const draft = { ...DRAFT, images: 4 }
    expect(generateButton({ ...SITUATION, ...change, draft })).toMatchObject({
      label,
      isEnabled: true,
    })
  })

  test.each([
    [{ available: 10 }, 'You have 10 credits; this needs 16. There is enough for 2.', 2],
    [{ available: 5, freeToday: 2 }, 'You have 5 credits; this needs 8. There is enough for 3.', 3],
    [{ available: 3 }, 'You have 3 credits; this needs 16.', undefined],
    [
      { available: 0, freeToday: 1, isGuest: true },
      'So many free images are not left today. There is enough for 1.',
      1,
    ],
  ])('says before the click for how many there is enough: %j', (change, reason, enoughFor) => {
    const draft = { ...DRAFT, images: 4 }
    const button = generateButton({ ...SITUATION, ...change, draft })
    expect(button).toMatchObject({ isEnabled: false, reason, enoughFor })
  })

  test('holds a prompt against the limit of its model', () => {
    const draft = { ...DRAFT, model: RICH.id, prompt: 'x'.repeat(1_001) }
    expect(generateButton({ ...SITUATION, draft, model: RICH }).reason).toBe(
      'The prompt is too long for Rich: at most 1,000 characters.',
    )
  })
})

test.each([
  ['de', {}, 'Erzeugen: 4 Credits, 1.196 übrig'],
  ['de', { isAgain: true }, 'Noch eines erzeugen: 4 Credits, 1.196 übrig'],
  ['de', { freeToday: 3 }, 'Erzeugen: 1 von heute 3 gratis'],
  ['ja', {}, '生成する：4 クレジット（残り 1,196）'],
  ['ja', { freeToday: 3 }, '生成する：本日の無料枠 3 枚のうち 1 枚'],
] as const)('in %s the cost is on the button before the click: %j', (locale, change, label) => {
  const situation = { ...SITUATION, available: 1_200, ...change }
  expect(generateButton(situation, wordsOf(locale)).label).toBe(label)
})

describe('the button for a new one', () => {
  test('names the price, and not how many', () => {
    expect(againButton({ ...SITUATION, isAgain: true })).toEqual({
      label: 'Start a new one: 4 credits, 92 left',
      quotedCredits: 4,
      isEnabled: true,
      reason: undefined,
    })
    expect(againButton({ ...SITUATION, freeToday: 2 }).label).toBe(
      'Start a new one: 1 of today’s 2 free',
    )
  })

  test.each([
    [{ available: 2 }, 'You have 2 credits; this needs 4.'],
    [{ model: undefined }, 'Its model is not offered now.'],
    [
      { model: { ...PLAIN, unavailable: 'Not just now.' } },
      'This model is not available at the moment. Choose another one.',
    ],
  ])('says why it cannot be pressed: %j', (change, reason) => {
    expect(againButton({ ...SITUATION, ...change })).toMatchObject({ isEnabled: false, reason })
  })
})

test.each([
  ['all of them free', { freeToday: 3, images: 3 }, 0],
  ['some of them free: which, is decided when they arrive', { freeToday: 1, images: 3 }, 4],
  ['none of them free', { freeToday: 0, images: 1 }, 4],
])('what is agreed to for each: %s', (_what, { freeToday, images }, quotedCredits) => {
  const draft = { ...SITUATION.draft, images }
  expect(generateButton({ ...SITUATION, freeToday, draft })).toMatchObject({ quotedCredits })
})
