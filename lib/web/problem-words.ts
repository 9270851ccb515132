import type { Messages } from 'next-intl'
import { message, type Message } from './message'

/** What a server says of a field: a code of ours with what it speaks of, and words for programs. */
export type ProblemView = {
  readonly field: string
  readonly code: string
  readonly values: Readonly<Record<string, string | number>>
  readonly message: string
}

type KnownCode = Exclude<keyof Messages['studio']['problem'], 'notKept'>

// Each code that a server or a draft can name, and the values that its sentence needs.
const NEEDS: Readonly<Record<KnownCode, readonly string[]>> = {
  empty: [],
  'too-long': ['most'],
  'nul-character': [],
  'lone-surrogate': [],
  'negative-too-long': ['most'],
  'negative-nul-character': [],
  'negative-lone-surrogate': [],
  'size-not-offered': ['model', 'offered'],
  'too-long-for-model': ['model', 'most'],
  'no-seed': ['model'],
  'no-negative-prompt': ['model'],
  'no-quality': ['model'],
  'quality-not-offered': ['model', 'offered'],
  'no-reference-images': ['model'],
  'too-many-reference-images': ['model', 'most'],
  'reference-image-missing': ['image'],
  'not-understood': ['field'],
}

const isKnown = (code: string): code is KnownCode => Object.hasOwn(NEEDS, code)

/** In the reader's language, and as the server wrote it where only a later page knows the code. */
export function problemWords({ code, values, message: words }: ProblemView): Message {
  return isKnown(code) && NEEDS[code].every((name) => name in values)
    ? message(`studio.problem.${code}`, values)
    : message('common.asWritten', { words })
}
