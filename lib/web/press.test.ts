import { describe, expect, test } from 'vitest'
import { PROMPT_CODE_POINTS_MAX } from '@/lib/domain/generation'
import type { Draft } from './draft'
import { createOutbox } from './outbox'
import {
  generateButton,
  hasOpenTwin,
  isSubmitShortcut,
  pressGenerate,
  STORAGE_WORDS,
} from './press'
import { attemptOf } from './testing/attempt'
import { memoryStorage } from './testing/memory-storage'
import { ACCOUNT, idOf } from './testing/outbox-item'

const DRAFT: Draft = {
  prompt: 'A lighthouse',
  model: 'simulator/safelight',
  width: 1024,
  height: 1024,
  seed: { kind: 'random' },
}
const SITUATION = {
  draft: DRAFT,
  price: 4,
  available: 96,
  freeToday: 0,
  isGuest: false,
  isSignedOut: false,
  isSending: false,
  isJustQueued: false,
  isAgain: false,
}

function desk(options: { readonly isFull?: boolean } = {}) {
  const storage = memoryStorage({ isFull: () => options.isFull ?? false })
  const outbox = createOutbox(storage, ACCOUNT)
  const sent: string[] = []
  let ids = 0
  let isBusy = false
  const press = (draft: Draft) =>
    pressGenerate({
      draft,
      outbox,
      sender: {
        isBusy: () => isBusy,
        send: (requestId) => {
          sent.push(requestId)
          return Promise.resolve()
        },
      },
      newId: () => idOf((ids += 1)),
      drawSeed: () => 1_000 + ids,
      now: () => new Date(Date.UTC(2026, 10, 30)),
    })
  return { outbox, sent, press, setBusy: (busy: boolean) => (isBusy = busy) }
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
      isEnabled: true,
      allowsShortcut: true,
      reason: undefined,
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
      { draft: { ...DRAFT, prompt: 'x'.repeat(PROMPT_CODE_POINTS_MAX + 1) } },
      'The prompt is too long: at most 4,000 characters.',
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
})

test('another of the same is one whose outcome is open; with a fixed seed only that very one', () => {
  expect(hasOpenTwin(DRAFT, [attemptOf(1)])).toBe(true)
  expect(hasOpenTwin(DRAFT, [attemptOf(1, { state: 'completed' })])).toBe(false)
  expect(hasOpenTwin(DRAFT, [attemptOf(1, { prompt: 'Another' })])).toBe(false)
  expect(hasOpenTwin({ ...DRAFT, seed: { kind: 'fixed', seed: 7 } }, [attemptOf(1)])).toBe(true)
  expect(hasOpenTwin({ ...DRAFT, seed: { kind: 'fixed', seed: 8 } }, [attemptOf(1)])).toBe(false)
})

describe('the shortcut', () => {
  const stroke = {
    key: 'Enter',
    keyCode: 13,
    ctrlKey: true,
    metaKey: false,
    repeat: false,
    isComposing: false,
  }
  test.each([
    ['Ctrl+Enter', {}, true],
    ['Cmd+Enter', { ctrlKey: false, metaKey: true }, true],
    ['Enter alone', { ctrlKey: false }, false],
    ['a held key', { repeat: true }, false],
    ['an input method at work', { isComposing: true }, false],
    ['an input method that only shows in the key code', { keyCode: 229 }, false],
    ['another key', { key: 'a' }, false],
  ])('%s', (_, change, expected) => {
    expect(isSubmitShortcut({ ...stroke, ...change })).toBe(expected)
  })
})

describe('a press', () => {
  test('keeps the request, with the seed that was drawn, before it is sent', () => {
    const { outbox, sent, press } = desk()
    expect(press(DRAFT)).toEqual({ kind: 'sent', requestId: idOf(1) })
    expect(outbox.list()).toEqual([
      expect.objectContaining({
        requestId: idOf(1),
        prompt: DRAFT.prompt,
        settings: { width: 1024, height: 1024, seed: 1_001 },
      }),
    ])
    expect(sent).toEqual([idOf(1)])
  })

  test('does nothing while another is under way', () => {
    const { outbox, sent, press, setBusy } = desk()
    setBusy(true)
    expect(press(DRAFT)).toEqual({ kind: 'ignored' })
    expect([outbox.list(), sent]).toEqual([[], []])
  })

  test('on an unchanged draft that is not acknowledged sends the same request again', () => {
    const { outbox, sent, press } = desk()
    press(DRAFT)
    press(DRAFT)
    expect(sent).toEqual([idOf(1), idOf(1)])
    expect(outbox.list()).toHaveLength(1)
  })

  test.each<readonly [string, Partial<Draft>]>([
    ['prompt', { prompt: 'A lighthouse ' }],
    ['model', { model: 'simulator/proof' }],
    ['size', { width: 832, height: 1216 }],
    ['seed', { seed: { kind: 'fixed', seed: 1_001 } }],
  ])('on a draft with another %s makes a new request and keeps the first', (_, change) => {
    const { outbox, sent, press } = desk()
    press(DRAFT)
    press({ ...DRAFT, ...change })
    expect(sent).toEqual([idOf(1), idOf(2)])
    expect(outbox.list()).toHaveLength(2)
  })

  test('sends nothing that the browser could not keep', () => {
    const { sent, press } = desk({ isFull: true })
    expect(press(DRAFT)).toEqual({ kind: 'refused', message: STORAGE_WORDS })
    expect(sent).toEqual([])
  })

  test.each([
    ['empty', '  '],
    ['NUL', 'a\u0000b'],
    ['a lone surrogate', 'a\ud83d'],
    ['too long', 'x'.repeat(100_000)],
  ])('keeps and sends nothing for a prompt that cannot be kept exactly: %s', (_, prompt) => {
    const { outbox, sent, press } = desk()
    expect(press({ ...DRAFT, prompt }).kind).toBe('refused')
    expect([outbox.list(), sent]).toEqual([[], []])
  })

  test.each([
    ['emoji', '😀👩‍👩‍👧'],
    ['the longest in code points', '😀'.repeat(PROMPT_CODE_POINTS_MAX)],
    ['spaces at the ends', '  a  '],
    ['right to left', 'مرحبا \u202E'],
    ['decomposed letters', 'e\u0301'],
  ])('keeps a prompt exactly as typed: %s', (_, prompt) => {
    const { outbox, press } = desk()
    press({ ...DRAFT, prompt })
    expect(outbox.list()[0]?.prompt).toBe(prompt)
  })
})
