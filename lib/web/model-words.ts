import type { ModelFacts, OfferedModel } from '@/lib/domain/model'
import { message, type Message, type Words } from './message'

const MINUTE_S = 60

/** "about 4 s", "about 2 min": what one image usually takes. */
export function usualWords(seconds: number): Message {
  return seconds < 90
    ? message('common.about.seconds', { count: Math.round(seconds) })
    : message('common.about.minutes', { count: Math.round(seconds / MINUTE_S) })
}

/** What can be asked of it besides a prompt and a shape, each in a word or two. */
export function abilityWords(model: ModelFacts): readonly Message[] {
  return [
    ...(model.seed ? [message('studio.model.seed')] : []),
    ...(model.negativePrompt ? [message('studio.model.negativePrompt')] : []),
    ...(model.qualities.length > 1 ? [message('studio.model.quality')] : []),
  ]
}

/** Those in whose words every word of the query is found, however it is cased. */
export function searchModels(
  models: readonly OfferedModel[],
  query: string,
  say: Words,
): readonly OfferedModel[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return models.filter((model) => {
    const { name, id, providerTitle, description } = model
    const text = [name, id, providerTitle, description, ...abilityWords(model).map(say)].join(' ')
    return words.every((word) => text.toLowerCase().includes(word))
  })
}

export type ModelGroup = { readonly title: string; readonly models: readonly OfferedModel[] }

/** By provider, in the order in which they are offered. */
export function groupModels(models: readonly OfferedModel[]): readonly ModelGroup[] {
  const titles = [...new Set(models.map(({ providerTitle }) => providerTitle))]
  return titles.map((title) => ({
    title,
    models: models.filter(({ providerTitle }) => providerTitle === title),
  }))
}
