import { z } from 'zod'
import { Settings } from '@/lib/domain/generation'
import { invariant } from '@/lib/domain/invariant'
import type { Model } from '@/lib/domain/model'

export function defaultSizeOf(model: Model): Pick<Settings, 'width' | 'height'> {
  const [first] = model.sizes
  invariant(first !== undefined, 'a model offers a size')
  return first
}

const SettingsSchema = z.object({
  properties: z.record(z.string(), z.record(z.string(), z.unknown())),
})

/**
 * The settings of a model as JSON Schema, for the members that a program may add to model and
 * prompt. It accepts exactly what the server accepts, with each size left out or given.
 */
export function settingsSchemaOf(model: Model): Readonly<Record<string, unknown>> {
  const { properties } = SettingsSchema.parse(z.toJSONSchema(Settings))
  const defaultSize = defaultSizeOf(model)
  return {
    type: 'object',
    properties: {
      width: { ...properties['width'], default: defaultSize.width },
      height: { ...properties['height'], default: defaultSize.height },
      ...(model.seed && {
        seed: { ...properties['seed'], description: 'Default: derived from the Idempotency-Key.' },
      }),
      ...(model.negativePrompt && { negativePrompt: properties['negativePrompt'] }),
      ...(model.qualities.length > 0 && {
        quality: { enum: model.qualities, default: model.qualities[0] },
      }),
      ...(model.referenceImagesMax > 0 && {
        referenceImages: {
          ...properties['referenceImages'],
          maxItems: model.referenceImagesMax,
          description: 'SHA-256 of images that were uploaded.',
        },
      }),
    },
    additionalProperties: false,
    // A side may be left out only where its default makes one of the sizes.
    anyOf: model.sizes.map((size) => ({
      properties: { width: { const: size.width }, height: { const: size.height } },
      required: [
        ...(size.width === defaultSize.width ? [] : ['width']),
        ...(size.height === defaultSize.height ? [] : ['height']),
      ],
    })),
  }
}
