import type { OfferedModel } from '@/lib/domain/model'
import { message, type Message, type MessageKey, type Words } from './message'

// A model is described in English, where it is declared and for programs. Here those descriptions are
// known again, so that people read them in their language. One that is not known is shown as it is.

const KNOWN: ReadonlyMap<string, MessageKey> = new Map([
  ['Black Forest Labs’ model for everyday work, with reference images.', 'models.bfl-everyday'],
  ['Black Forest Labs’ model for finished work. Takes images to go by.', 'models.bfl-finished'],
  [
    'Design and photographs with good lettering. Takes what is not to be seen.',
    'models.design-lettering',
  ],
  [
    'Draws procedural pictures on this machine. Nothing leaves it and nothing is bought.',
    'models.simulator-safelight',
  ],
  ['Follows long prompts and reference images. Run by fal.', 'models.long-prompts-fal'],
  ['Follows long prompts closely. Run by Replicate.', 'models.long-prompts-replicate'],
  [
    'Google’s careful image model: it thinks about long prompts before it draws.',
    'models.google-careful',
  ],
  ['Google’s quick image model. Takes images to change or to go by.', 'models.google-quick-change'],
  [
    'Google’s quick image model: everyday pictures, lettering, changes to photographs.',
    'models.google-quick',
  ],
  ['More detail than schnell, and more time. Run by Replicate.', 'models.detail-replicate'],
  ['More detail than schnell, and more time. Run by fal.', 'models.detail-fal'],
  [
    'Open-weight FLUX.2: follows long prompts closely and writes legible text.',
    'models.open-flux2',
  ],
  ['OpenAI’s image model: follows instructions and writes legible text.', 'models.openai-text'],
  [
    'OpenAI’s model of spring 2026, for pictures that should look as they did.',
    'models.openai-spring',
  ],
  ['Posters, logos and lettering that can be read. Takes images to go by.', 'models.posters'],
  ['Quick and cheap, for trying things out.', 'models.cheap'],
  ['Runs on our own machine. Nothing is bought.', 'models.own-machine'],
  ['Small and quick. Good for first ideas.', 'models.small'],
  ['Small, quick proofs of the same procedural pictures.', 'models.simulator-proof'],
  [
    'Stability’s best service: photographs, lettering, fine detail. Prompts in English.',
    'models.stability-best',
  ],
  ['Stability’s quick and cheap service. Prompts in English.', 'models.stability-quick'],
  ['The best pictures of Black Forest Labs, at the highest price.', 'models.bfl-best'],
  [
    'The careful one of OpenAI’s current models: fine detail, faithful references.',
    'models.openai-careful',
  ],
  [
    'The fastest model of Black Forest Labs, run by Replicate. Good for first ideas.',
    'models.fastest-replicate',
  ],
  [
    'The fastest model of Black Forest Labs, run by fal. Good for first ideas.',
    'models.fastest-fal',
  ],
  ['The first FLUX, still strong at people and photographs.', 'models.first-flux'],
  ['The four-step FLUX.2: quick and cheap, good for trying things out.', 'models.four-step-flux2'],
  ['The large open model in four steps. Prompts in English.', 'models.large-open-four'],
  ['The large open model, for many styles. Prompts in English.', 'models.large-open'],
  [
    'The medium open model in four steps: the cheapest. Prompts in English.',
    'models.medium-open-four',
  ],
  ['The medium open model. Prompts in English.', 'models.medium-open'],
  ['The model before FLUX.2, quick and dependable.', 'models.before-flux2'],
  [
    'The production model of Black Forest Labs, with reference images. Run by fal.',
    'models.bfl-production-fal',
  ],
  [
    'The quick one of OpenAI’s current models: everyday pictures, posters, layouts.',
    'models.openai-quick',
  ],
])

const ADDITIONS: readonly (readonly [ending: string, key: MessageKey])[] = [
  [' A lost answer can be found again.', 'models.findable'],
  [' A text model hands it the prompt; a lost answer can be found again.', 'models.textModel'],
]

const SERVED_BY = /^Served by (.+)\.$/

/** The sentences of a description, each known again or as it was written. */
export function descriptionWords(description: string): readonly Message[] {
  const known = KNOWN.get(description)
  if (known) return [message(known)]
  const [, server] = SERVED_BY.exec(description) ?? []
  if (server !== undefined) return [message('models.servedBy', { server })]
  const [ending, key] = ADDITIONS.find(([end]) => description.endsWith(end)) ?? []
  return ending !== undefined && key
    ? [...descriptionWords(description.slice(0, -ending.length)), message(key)]
    : [message('common.asWritten', { words: description })]
}

/** The offer with each model described in the reader's language. Done by the server: no browser loads it. */
export const describedIn = (
  models: readonly OfferedModel[],
  say: Words,
  gap: string,
): readonly OfferedModel[] =>
  models.map((model) => ({
    ...model,
    description: descriptionWords(model.description).map(say).join(gap),
  }))
