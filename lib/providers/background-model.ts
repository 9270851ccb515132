// Some providers have two surfaces for one model: one that answers with the image, and one that
// works in the background, whose lost answers can be found again. Each gets a model id of its own.

const SUFFIX = '-background'

export const inBackgroundId = (modelId: string): string => `${modelId}${SUFFIX}`

/** What the provider calls the model, and on which of its surfaces it is asked. */
export function upstreamOf(modelId: string): {
  readonly model: string
  readonly inBackground: boolean
} {
  const name = modelId.slice(modelId.indexOf('/') + 1)
  return name.endsWith(SUFFIX)
    ? { model: name.slice(0, -SUFFIX.length), inBackground: true }
    : { model: name, inBackground: false }
}
