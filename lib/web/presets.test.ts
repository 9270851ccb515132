import { expect, test } from 'vitest'
import { createPresetStore, PRESETS_MAX, type PresetSettings } from './presets'
import { memoryStorage } from './testing/memory-storage'
import { PLAIN, RICH } from './testing/offer'
import { ACCOUNT, OTHER_ACCOUNT } from './testing/outbox-item'

const WIDE: PresetSettings = {
  model: RICH.id,
  width: 1536,
  height: 1024,
  quality: 'high',
  negativePrompt: 'fog',
  images: 2,
}
const SQUARE: PresetSettings = { ...WIDE, model: PLAIN.id, width: 1024, quality: undefined }

test('presets are there after the page was loaded anew, by name, and only their account’s', () => {
  const storage = memoryStorage()
  const store = createPresetStore(storage, ACCOUNT)
  expect(store.keep({ name: 'Wide', settings: WIDE })).toBe('kept')
  expect(store.keep({ name: 'Square', settings: SQUARE })).toBe('kept')
  expect(createPresetStore(storage, ACCOUNT).read()).toEqual([
    { name: 'Square', settings: SQUARE },
    { name: 'Wide', settings: WIDE },
  ])
  expect(createPresetStore(storage, OTHER_ACCOUNT).read()).toEqual([])
})

test('a name that is used again is another preset’s no more', () => {
  const store = createPresetStore(memoryStorage(), ACCOUNT)
  store.keep({ name: 'Mine', settings: WIDE })
  store.keep({ name: 'Mine', settings: SQUARE })
  expect(store.read()).toEqual([{ name: 'Mine', settings: SQUARE }])
  store.remove('Mine')
  expect(store.read()).toEqual([])
})

test('there is an end to them, and a browser that keeps nothing says so', () => {
  const store = createPresetStore(memoryStorage(), ACCOUNT)
  for (let n = 0; n < PRESETS_MAX; n += 1) store.keep({ name: `Preset ${n}`, settings: WIDE })
  expect(store.keep({ name: 'One more', settings: WIDE })).toBe('full')
  expect(store.keep({ name: 'Preset 3', settings: SQUARE })).toBe('kept')
  expect(createPresetStore(undefined, ACCOUNT).keep({ name: 'x', settings: WIDE })).toBe(
    'not-stored',
  )
})

test.each(['', 'no json', '{}', '[1, {"name": ""}, {"name": "x"}, {"name": "y", "settings": {}}]'])(
  'what is no preset is passed over: %j',
  (kept) => {
    const storage = memoryStorage()
    storage.setItem(`darkroom.presets.${ACCOUNT}`, kept)
    expect(createPresetStore(storage, ACCOUNT).read()).toEqual([])
  },
)
