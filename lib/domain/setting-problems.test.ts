import { expect, test } from 'vitest'
import type { Settings } from './generation'
import { settingProblems, type ModelFacts } from './model'

// What a model does not offer is refused before anything is held, and the refusal names the limit.

const bare: ModelFacts = {
  id: 'simulator/bare',
  name: 'Bare',
  provider: 'simulator',
  description: 'Offers nothing besides two sizes.',
  sizes: [
    { width: 512, height: 512 },
    { width: 608, height: 416 },
  ],
  promptCodePointsMax: 1_000,
  seed: false,
  negativePrompt: false,
  qualities: [],
  referenceImagesMax: 0,
  usualSeconds: 1,
}
const rich: ModelFacts = {
  ...bare,
  name: 'Rich',
  seed: true,
  negativePrompt: true,
  qualities: ['standard', 'high'],
  referenceImagesMax: 2,
}

const size = { width: 512, height: 512 }
const references = (count: number) => Array.from({ length: count }, () => 'ab'.repeat(32))
const problems = (model: ModelFacts, settings: Partial<Settings>, prompt = 'a quiet lake') =>
  settingProblems(model, { prompt, settings: { ...size, ...settings } })

test('what a model offers is no problem, each by itself and all together', () => {
  const everything = {
    seed: 0,
    negativePrompt: 'fog',
    quality: 'high',
    referenceImages: references(2),
  }
  expect(problems(rich, everything, '🦊'.repeat(1_000))).toEqual([])
  expect(problems(bare, { width: 608, height: 416 })).toEqual([])
})

test.each<readonly [string, ModelFacts, Partial<Settings>, string, string]>([
  [
    'another size',
    bare,
    { width: 513 },
    'settings',
    'Bare offers these sizes: 512 x 512, 608 x 416.',
  ],
  [
    'sides of two sizes',
    bare,
    { width: 608, height: 512 },
    'settings',
    'Bare offers these sizes: 512 x 512, 608 x 416.',
  ],
  ['a seed', bare, { seed: 0 }, 'settings.seed', 'Bare takes no seed.'],
  [
    'a negative prompt',
    bare,
    { negativePrompt: 'fog' },
    'settings.negativePrompt',
    'Bare takes no negative prompt.',
  ],
  [
    'a quality where there is no choice',
    bare,
    { quality: 'high' },
    'settings.quality',
    'Bare offers no choice of quality.',
  ],
  [
    'another quality',
    rich,
    { quality: 'low' },
    'settings.quality',
    'Rich offers these qualities: standard, high.',
  ],
  [
    'a reference image where none is taken',
    bare,
    { referenceImages: references(1) },
    'settings.referenceImages',
    'Bare takes no reference images.',
  ],
  [
    'one reference image too many',
    rich,
    { referenceImages: references(3) },
    'settings.referenceImages',
    'Rich takes at most 2 reference images.',
  ],
])('%s is refused in words that name what there is', (_what, model, settings, field, message) => {
  expect(problems(model, settings)).toMatchObject([{ field, message }])
})

test('a prompt one character longer than its model takes is refused, and the limit is named', () => {
  expect(problems(bare, {}, '🦊'.repeat(1_001))).toMatchObject([
    { field: 'prompt', message: 'The prompt is too long for Bare: at most 1,000 characters.' },
  ])
})

test('everything that is wrong is named at once', () => {
  const wrong = { width: 1, seed: 1, quality: 'high', referenceImages: references(1) }
  expect(problems(bare, wrong, 'x'.repeat(1_001)).map(({ field }) => field)).toEqual([
    'settings',
    'prompt',
    'settings.seed',
    'settings.quality',
    'settings.referenceImages',
  ])
})

test('each is named by its code too, with what its sentence speaks of', () => {
  const wrong = { width: 1, seed: 1, negativePrompt: 'fog', referenceImages: references(3) }
  const named = (model: ModelFacts, settings: Partial<Settings>) =>
    problems(model, settings).map(({ code, values }) => [code, values])
  expect(named(bare, { ...wrong, quality: 'low' })).toEqual([
    ['size-not-offered', { model: 'Bare', offered: '512 x 512, 608 x 416' }],
    ['no-seed', { model: 'Bare' }],
    ['no-negative-prompt', { model: 'Bare' }],
    ['no-quality', { model: 'Bare' }],
    ['no-reference-images', { model: 'Bare' }],
  ])
  expect(named(rich, { quality: 'low', referenceImages: references(3) })).toEqual([
    ['quality-not-offered', { model: 'Rich', offered: 'standard, high' }],
    ['too-many-reference-images', { model: 'Rich', most: 2 }],
  ])
  expect(problems(bare, {}, 'x'.repeat(1_001)).map(({ code, values }) => [code, values])).toEqual([
    ['too-long-for-model', { model: 'Bare', most: 1_000 }],
  ])
})
