import type { Failure } from '@/lib/domain/attempt'
import { message, type Message, type MessageKey } from './message'

// A failure is recorded with its reason in English, which is what programs are told. Here the sentences
// of ours are known again, so that they can be said in the reader's language. What a provider wrote is
// quoted as it wrote it.

const OURS: ReadonlyMap<string, MessageKey> = new Map([
  [
    'The image service refused this prompt under its content rules. Change the prompt.',
    'attempt.reason.moderated',
  ],
  ['The image service did not accept the input: it gave no reason.', 'attempt.reason.notAccepted'],
  ['The image service could not make this image: it gave no reason.', 'attempt.reason.notMade'],
  ['The image service made no image.', 'attempt.reason.noImage'],
  ['The image service delivered a file that is no image.', 'attempt.reason.noImageFile'],
  [
    'This image service is not available here at the moment. Choose another model.',
    'attempt.reason.serviceUnavailable',
  ],
  ['This model is not offered any more. Choose another one.', 'attempt.reason.modelGone'],
  ['The image service is busy. Try again in a minute.', 'attempt.reason.busy'],
  ['We made sure that no image was made.', 'attempt.reason.madeSure'],
  ['It was cancelled at the image service.', 'attempt.reason.cancelledByService'],
])

const WITH_WORDS: readonly (readonly [prefix: string, key: MessageKey])[] = [
  ['The image service did not accept the input: ', 'attempt.reason.notAcceptedBecause'],
  ['The image service could not make this image: ', 'attempt.reason.notMadeBecause'],
]

const BUSY_FOR = /^The image service is busy\. Try again in (\d{1,9}) seconds\.$/
const REFERENCE_GONE = /^The reference image (\S+) is not there any more\.$/

/** Why it failed: our own reason in the reader's language, a foreign one as it was given. */
export function failureMessage({ code, message: reason }: Failure): Message {
  const words = reason.trim()
  if (words === '') return message(`attempt.failure.${code}`)
  const ours = OURS.get(words)
  if (ours) return message(ours)
  const [, seconds] = BUSY_FOR.exec(words) ?? []
  if (seconds !== undefined) return message('attempt.reason.busyFor', { seconds: Number(seconds) })
  const [, image] = REFERENCE_GONE.exec(words) ?? []
  if (image !== undefined) return message('attempt.reason.referenceGone', { image })
  const [prefix, key] = WITH_WORDS.find(([start]) => words.startsWith(start)) ?? []
  return prefix !== undefined && key
    ? message(key, { words: words.slice(prefix.length) })
    : message('common.asWritten', { words })
}
