import { expect, test } from 'vitest'
import { simulatorModels } from '@/test/models'
import { Generation } from './generation'
import { findModel, offersSize, type Model } from './model'

test.each(simulatorModels.map((model) => [model.id, model] as const))(
  '%s can be generated in every size that it offers, for a price',
  (id, model) => {
    expect(model.priceCredits).toBeGreaterThan(0)
    expect(model.provider).toBe(id.split('/')[0])
    expect(model.sizes.length).toBeGreaterThan(0)
    for (const size of model.sizes) {
      expect(offersSize(model, size)).toBe(true)
      const generation = { model: id, prompt: 'x', settings: { ...size, seed: 0 } }
      expect(Generation.safeParse(generation).error).toBeUndefined()
    }
    expect(offersSize(model, { width: 257, height: 257 })).toBe(false)
  },
)

test('a model is found by its exact id', () => {
  expect(findModel(simulatorModels, 'simulator/proof')?.name).toBe('Proof')
  expect(findModel(simulatorModels, 'simulator/Proof')).toBeUndefined()
  const none: readonly Model[] = []
  expect(findModel(none, 'simulator/proof')).toBeUndefined()
})
