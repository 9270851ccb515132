import { expect, test } from 'vitest'
import { generation } from '@/test/factories'
import { fingerprintOf } from './fingerprint'
import { Generation } from './generation'

const { model, prompt, settings } = generation
const original = fingerprintOf(generation)

test('a fingerprint is SHA-256 of the canonical JSON', () => {
  // sha256sum of {"model":"…","prompt":"…","settings":{"height":512,"seed":1,"width":512}}
  expect(original.toString('hex')).toBe(
    '18d7a3ef66c8ac0846e4617a190ca4ecf153c3261af5c28349edef2ed49f7143',
  )
})

test.each([
  ['model', { ...generation, model: 'simulator/safelight' }],
  ['width', { ...generation, settings: { ...settings, width: 513 } }],
  ['height', { ...generation, settings: { ...settings, height: 513 } }],
  ['seed', { ...generation, settings: { ...settings, seed: 2 } }],
  ['a letter of the prompt', { ...generation, prompt: `${prompt}!` }],
  ['the case of a letter', { ...generation, prompt: prompt.toUpperCase() }],
  ['a space at its end', { ...generation, prompt: `${prompt} ` }],
  ['a space within', { ...generation, prompt: prompt.replace(' ', '  ') }],
  ['a line end', { ...generation, prompt: prompt.replace(' ', '\n') }],
])('changing %s changes the fingerprint', (_what, changed) => {
  expect(fingerprintOf(changed)).not.toEqual(original)
})

test('composed and decomposed letters are different prompts', () => {
  const nfc = fingerprintOf({ ...generation, prompt: 'é'.normalize('NFC') })
  expect(fingerprintOf({ ...generation, prompt: 'é'.normalize('NFD') })).not.toEqual(nfc)
})

test('the order of keys does not matter', () => {
  const { width, height } = settings
  expect(fingerprintOf({ settings: { seed: 1, height, width }, prompt, model })).toEqual(original)
})

test('the way a number is written does not matter', () => {
  const written = `{"model":"${model}","prompt":"${prompt}","settings":{"width":5.12e2,"height":512.0,"seed":1.0}}`
  expect(fingerprintOf(Generation.parse(JSON.parse(written)))).toEqual(original)
})

test('what an object inherits or holds besides does not matter', () => {
  expect(fingerprintOf({ ...generation, ...{ price: 0 } })).toEqual(original)
})
