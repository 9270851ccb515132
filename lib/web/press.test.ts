import { describe, expect, test } from 'vitest'
import { RequestId } from '@/lib/domain/ids'
import { settingProblems } from '@/lib/domain/model'
import { PROMPT_CODE_POINTS_MAX } from '@/lib/domain/prompt'
import type { Draft } from './draft'
import { createOutbox } from './outbox'
import { hasOpenTwin, isSubmitShortcut, pressAgain, pressGenerate, STORAGE_WORDS } from './press'
import { attemptOf } from './testing/attempt'
import { memoryStorage } from './testing/memory-storage'
import { PLAIN, RICH, SEEDLESS } from './testing/offer'
import { ACCOUNT, idOf } from './testing/outbox-item'

const DRAFT: Draft = {
  prompt: 'A lighthouse',
  model: 'simulator/safelight',
  width: 1024,
  height: 1024,
  seed: { kind: 'random' },
  negativePrompt: '',
  quality: undefined,
  referenceImages: [],
  images: 1,
}
function desk(options: { readonly isFull?: () => boolean } = {}) {
  const storage = memoryStorage({ isFull: options.isFull ?? (() => false) })
  const outbox = createOutbox(storage, ACCOUNT)
  const sent: string[] = []
  let ids = 0
  let isBusy = false
  const press = (draft: Draft, model = PLAIN) =>
    pressGenerate({
      draft,
      model,
      quotedCredits: 4,
      outbox,
      sender: {
        isBusy: () => isBusy,
        send: (requestId) => {
          sent.push(requestId)
          return Promise.resolve()
        },
      },
      newId: () => RequestId.parse(idOf((ids += 1))),
      drawSeed: () => 1_000 + ids,
      now: () => new Date(Date.UTC(2026, 10, 30)),
    })
  return { storage, outbox, sent, press, setBusy: (busy: boolean) => (isBusy = busy) }
}

const fixed = (seed: number): Draft => ({ ...DRAFT, seed: { kind: 'fixed', seed } })

test('another of the same is one whose outcome is open; with a fixed seed only that very one', () => {
  expect(hasOpenTwin(DRAFT, PLAIN, [attemptOf(1)])).toBe(true)
  expect(hasOpenTwin(DRAFT, PLAIN, [attemptOf(1, { state: 'completed' })])).toBe(false)
  expect(hasOpenTwin(DRAFT, PLAIN, [attemptOf(1, { prompt: 'Another' })])).toBe(false)
  expect(hasOpenTwin(fixed(7), PLAIN, [attemptOf(1)])).toBe(true)
  expect(hasOpenTwin(fixed(8), PLAIN, [attemptOf(1)])).toBe(false)
  expect(hasOpenTwin({ ...fixed(5), images: 4 }, PLAIN, [attemptOf(1)])).toBe(true)
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
    expect(press(DRAFT)).toEqual({ kind: 'sent', requestIds: [idOf(1)] })
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
    ['size', { width: 832, height: 1216 }],
    ['seed', { seed: { kind: 'fixed', seed: 1_001 } }],
    ['number of pictures', { images: 2 }],
  ])('on a draft with another %s makes a new request and keeps the first', (_, change) => {
    const { outbox, sent, press } = desk()
    press(DRAFT)
    press({ ...DRAFT, ...change })
    const made = 1 + (change.images ?? 1)
    expect(sent).toHaveLength(made)
    expect(outbox.list()).toHaveLength(made)
  })

  test('sends nothing that the browser could not keep', () => {
    const { sent, press } = desk({ isFull: () => true })
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

  test.each([
    ['a plain model', PLAIN, { width: 1024, height: 1024, seed: 1_001 }],
    ['a model without a seed', SEEDLESS, { width: 1024, height: 1024 }],
    [
      'a model that offers all',
      RICH,
      { width: 1024, height: 1024, seed: 1_001, negativePrompt: ' fog ', quality: 'high' },
    ],
  ])('sends what the model offers and nothing else, as the server would have it: %s', (...row) => {
    const [, model, settings] = row
    const { outbox, press } = desk()
    press({ ...DRAFT, model: model.id, negativePrompt: ' fog ', quality: 'high' }, model)
    expect(outbox.list()[0]?.settings).toEqual(settings)
    expect(settingProblems(model, { prompt: DRAFT.prompt, settings })).toEqual([])
  })

  test('does not send a negative prompt of spaces', () => {
    const { outbox, press } = desk()
    press({ ...DRAFT, model: RICH.id, negativePrompt: ' \n', quality: 'medium' }, RICH)
    expect(outbox.list()[0]?.settings).not.toHaveProperty('negativePrompt')
  })
})

describe('a press for several pictures', () => {
  const four: Draft = { ...DRAFT, images: 4 }

  test('keeps all before the first is sent, each with its own id and seed', () => {
    const { outbox } = desk()
    const kept: number[] = []
    const outcome = pressGenerate({
      draft: four,
      model: PLAIN,
      quotedCredits: 4,
      outbox,
      sender: {
        isBusy: () => false,
        send: () => Promise.resolve(void kept.push(outbox.list().length)),
      },
      newId: (
        (id) => () =>
          RequestId.parse(idOf((id += 1)))
      )(0),
      drawSeed: (
        (seed) => () =>
          (seed += 1)
      )(100),
      now: () => new Date(0),
    })
    expect(outcome).toEqual({ kind: 'sent', requestIds: [idOf(1), idOf(2), idOf(3), idOf(4)] })
    expect(kept).toEqual([4, 4, 4, 4])
    expect(outbox.list().map(({ settings }) => settings.seed)).toEqual([101, 102, 103, 104])
  })

  test('counts a fixed seed on, past the largest to zero', () => {
    const { outbox, press } = desk()
    press({ ...four, seed: { kind: 'fixed', seed: 2 ** 32 - 2 } })
    expect(outbox.list().map(({ settings }) => settings.seed)).toEqual([
      2 ** 32 - 2,
      2 ** 32 - 1,
      0,
      1,
    ])
  })

  test('sends only what is not acknowledged again, each under its own id', () => {
    const { outbox, sent, press } = desk()
    press(four)
    const [first, , third] = outbox.list()
    if (first) outbox.remove(first.requestId)
    if (third) outbox.remove(third.requestId)
    press(four)
    expect(sent.slice(4)).toEqual([idOf(2), idOf(4)])
    expect(outbox.list()).toHaveLength(2)
  })

  test('with a fixed seed does the same', () => {
    const { outbox, sent, press } = desk()
    press({ ...four, seed: { kind: 'fixed', seed: 9 } })
    outbox.remove(outbox.list()[1]?.requestId ?? fail())
    press({ ...four, seed: { kind: 'fixed', seed: 9 } })
    expect(sent.slice(4)).toEqual([idOf(1), idOf(3), idOf(4)])
  })

  test('keeps and sends none when the browser cannot keep all', () => {
    let puts = 0
    const { outbox, sent, press } = desk({ isFull: () => (puts += 1) > 2 })
    expect(press(four)).toEqual({ kind: 'refused', message: STORAGE_WORDS })
    expect([outbox.list(), sent]).toEqual([[], []])
  })
})

describe('starting a new one', () => {
  const { model, prompt, settings } = attemptOf(1)
  const again = (at: ReturnType<typeof desk>, id: number, isBusy = false) =>
    pressAgain({
      generation: { model, prompt, settings },
      quotedCredits: 4,
      outbox: at.outbox,
      sender: {
        isBusy: () => isBusy,
        send: (requestId) => Promise.resolve(void at.sent.push(requestId)),
      },
      newId: () => RequestId.parse(idOf(id)),
      now: () => new Date(0),
    })

  test('asks for exactly the same under a new id, kept before it is sent', () => {
    const at = desk()
    expect(again(at, 5)).toEqual({ kind: 'sent', requestIds: [idOf(5)] })
    expect(at.outbox.list()[0]).toMatchObject({ model, prompt, settings, seedChoice: 'fixed' })
    expect(at.sent).toEqual([idOf(5)])
  })

  test('while that is not acknowledged sends it again and makes no other', () => {
    const at = desk()
    again(at, 5)
    again(at, 6)
    expect(at.sent).toEqual([idOf(5), idOf(5)])
    expect(at.outbox.list()).toHaveLength(1)
  })

  test('does nothing while another request is under way, nor where nothing is kept', () => {
    expect(again(desk(), 5, true)).toEqual({ kind: 'ignored' })
    const full = desk({ isFull: () => true })
    expect(again(full, 5)).toEqual({ kind: 'refused', message: STORAGE_WORDS })
    expect(full.sent).toEqual([])
  })
})

function fail(): never {
  throw new Error('nothing there')
}
