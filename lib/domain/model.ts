import type { Generation, Settings } from './generation'
import { codePointCount } from './prompt'

/** More than these no model of any provider is shown. */
export const REFERENCE_IMAGES_MAX = 4

export type Size = Pick<Settings, 'width' | 'height'>

/** What a user chooses, and what can be asked of it. */
export type ModelFacts = {
  readonly id: string
  readonly name: string
  readonly provider: string
  readonly description: string
  /** The sizes offered, in pixels, the first being the default. */
  readonly sizes: readonly Size[]
  /** The longest prompt that its provider takes, in code points. */
  readonly promptCodePointsMax: number
  /** Whether a seed shapes its pictures. */
  readonly seed: boolean
  readonly negativePrompt: boolean
  /** The qualities offered, the first being the default; empty where there is no choice. */
  readonly qualities: readonly string[]
  readonly referenceImagesMax: number
  /** What one image usually takes, in seconds. */
  readonly usualSeconds: number
}

/** A model with its price in whole credits for one image. */
export type Model = ModelFacts & { readonly priceCredits: number }

/** A model as it is offered now. */
export type OfferedModel = Model & {
  /** As its provider's makers write it. */
  readonly providerTitle: string
  /** Why it cannot be chosen at the moment, in the user's words. */
  readonly unavailable: string | undefined
}

export function findModel<M extends ModelFacts>(models: readonly M[], id: string): M | undefined {
  return models.find((model) => model.id === id)
}

export function offersSize(model: ModelFacts, size: Size): boolean {
  return model.sizes.some(({ width, height }) => width === size.width && height === size.height)
}

export const settingProblemCodes = [
  'size-not-offered',
  'too-long-for-model',
  'no-seed',
  'no-negative-prompt',
  'no-quality',
  'quality-not-offered',
  'no-reference-images',
  'too-many-reference-images',
] as const
export type SettingProblemCode = (typeof settingProblemCodes)[number]

/** Which of it cannot be had: for programs in English, and for people by its code in their language. */
export type SettingProblem = {
  readonly field: string
  readonly code: SettingProblemCode
  /** What the sentence speaks of. */
  readonly values: Readonly<Record<string, string | number>>
  readonly message: string
}

/** What the model does not offer of what is asked, each in words; empty when it can be made. */
export function settingProblems(
  model: ModelFacts,
  { prompt, settings }: Pick<Generation, 'prompt' | 'settings'>,
): readonly SettingProblem[] {
  const { name } = model
  const problems: SettingProblem[] = []
  const refuse = (
    field: string,
    code: SettingProblemCode,
    message: string,
    values: Readonly<Record<string, string | number>> = {},
  ) => problems.push({ field, code, values: { model: name, ...values }, message })
  if (!offersSize(model, settings)) {
    const offered = model.sizes.map(({ width, height }) => `${width} x ${height}`).join(', ')
    refuse('settings', 'size-not-offered', `${name} offers these sizes: ${offered}.`, { offered })
  }
  const most = model.promptCodePointsMax
  if (codePointCount(prompt) > most) {
    const message = `The prompt is too long for ${name}: at most ${most.toLocaleString('en')} characters.`
    refuse('prompt', 'too-long-for-model', message, { most })
  }
  if (settings.seed !== undefined && !model.seed) {
    refuse('settings.seed', 'no-seed', `${name} takes no seed.`)
  }
  if (settings.negativePrompt !== undefined && !model.negativePrompt) {
    refuse('settings.negativePrompt', 'no-negative-prompt', `${name} takes no negative prompt.`)
  }
  if (settings.quality !== undefined && !model.qualities.includes(settings.quality)) {
    const offered = model.qualities.join(', ')
    if (offered === '') {
      refuse('settings.quality', 'no-quality', `${name} offers no choice of quality.`)
    } else {
      const message = `${name} offers these qualities: ${offered}.`
      refuse('settings.quality', 'quality-not-offered', message, { offered })
    }
  }
  const references = settings.referenceImages?.length ?? 0
  if (references > model.referenceImagesMax) {
    const field = 'settings.referenceImages'
    const max = model.referenceImagesMax
    if (max === 0) {
      refuse(field, 'no-reference-images', `${name} takes no reference images.`)
    } else {
      const message = `${name} takes at most ${max} reference images.`
      refuse(field, 'too-many-reference-images', message, { most: max })
    }
  }
  return problems
}
