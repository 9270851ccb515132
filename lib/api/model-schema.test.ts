import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Settings } from '@/lib/domain/generation'
import { RequestId } from '@/lib/domain/ids'
import { offersSize } from '@/lib/domain/model'
import { simulatorModels } from '@/test/models'
import { settingsSchemaOf } from './model-schema'
import { generationRequestOf, NewAttempt } from './new-attempt'

const requestId = RequestId.parse('0b7e1c52-6d39-4b8e-9d55-0f0f9d2a7c11')

test.each(simulatorModels)('the schema of $id accepts exactly what the server accepts', (model) => {
  const validate = new Ajv2020({ strict: false }).compile(settingsSchemaOf(model))
  const sides = model.sizes.flatMap(({ width, height }) => [width, height])
  const side = fc.oneof(fc.constantFrom(...sides), fc.integer({ min: -1, max: 9_000 }), fc.double())
  const seed = fc.oneof(fc.integer(), fc.constantFrom(0, 2 ** 32 - 1, 2 ** 32, -1, 0.5, '1'))
  const settings = fc.record({ width: side, height: side, seed }, { requiredKeys: [] })
  fc.assert(
    fc.property(settings, (given) => {
      const parsed = NewAttempt.safeParse({ model: model.id, prompt: 'x', ...given })
      const accepted =
        parsed.success &&
        Settings.safeParse(generationRequestOf(parsed.data, requestId, model).settings).success &&
        offersSize(model, generationRequestOf(parsed.data, requestId, model).settings)
      expect(validate(given)).toBe(accepted)
    }),
    { numRuns: 2_000 },
  )
})
