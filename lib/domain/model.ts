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

export type SettingProblem = { readonly field: string; readonly message: string }

/** What the model does not offer of what is asked, each in words; empty when it can be made. */
export function settingProblems(
  model: ModelFacts,
  { prompt, settings }: Pick<Generation, 'prompt' | 'settings'>,
): readonly SettingProblem[] {
  const problems: SettingProblem[] = []
  const refuse = (field: string, message: string) => problems.push({ field, message })
  if (!offersSize(model, settings)) {
    const offered = model.sizes.map(({ width, height }) => `${width} x ${height}`).join(', ')
    refuse('settings', `${model.name} offers these sizes: ${offered}.`)
  }
  if (codePointCount(prompt) > model.promptCodePointsMax) {
    const most = model.promptCodePointsMax.toLocaleString('en')
    refuse('prompt', `The prompt is too long for ${model.name}: at most ${most} characters.`)
  }
  if (settings.seed !== undefined && !model.seed) {
    refuse('settings.seed', `${model.name} takes no seed.`)
  }
  if (settings.negativePrompt !== undefined && !model.negativePrompt) {
    refuse('settings.negativePrompt', `${model.name} takes no negative prompt.`)
  }
  if (settings.quality !== undefined && !model.qualities.includes(settings.quality)) {
    const offered = model.qualities.join(', ')
    refuse(
      'settings.quality',
      offered === ''
        ? `${model.name} offers no choice of quality.`
        : `${model.name} offers these qualities: ${offered}.`,
    )
  }
  const references = settings.referenceImages?.length ?? 0
  if (references > model.referenceImagesMax) {
    refuse(
      'settings.referenceImages',
      model.referenceImagesMax === 0
        ? `${model.name} takes no reference images.`
        : `${model.name} takes at most ${model.referenceImagesMax} reference images.`,
    )
  }
  return problems
}
