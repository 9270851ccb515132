import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { failureCodes, type Failure } from '@/lib/domain/attempt'
import {
  cancelledThere,
  invalidInput,
  moderated,
  noImage,
  providerFailed,
} from '@/lib/providers/judge'
import { wordsOf } from '@/test/words'
import { failureMessage } from './failure-words'
import { LOCALES } from './locales'

const english = wordsOf('en')
const german = wordsOf('de')

/** Every reason of ours, as the code that records it writes it. */
const written = ['decide', 'decide-delivery', 'decide-submission', 'decide-task', 'operator-act']
  .map((name) => readFileSync(`lib/domain/${name}.ts`, 'utf8'))
  .concat(
    ['judge', 'unknown-model'].map((name) => readFileSync(`lib/providers/${name}.ts`, 'utf8')),
  )
  .flatMap((source) => [
    ...source.matchAll(
      /code: '(moderated|invalid_input|provider_failed|provider_unavailable|unusable_result)',\s*message:\s*(?:'([^']+)'|`([^`]+)`)/g,
    ),
  ])
  .map(
    ([, , plain, pattern]) =>
      plain ?? (pattern ?? '').replace(/\$\{Math[^}]*\}/, '40').replace(/\$\{words[^}]*\}/, 'why'),
  )

describe('a reason that we wrote', () => {
  test('is known again, whichever it is', () => {
    expect(written.length).toBeGreaterThan(8)
    const unknown = written.filter(
      (message) => failureMessage({ code: 'provider_failed', message }).key === 'common.asWritten',
    )
    expect(unknown).toEqual([])
  })

  test.each([
    moderated,
    noImage,
    cancelledThere,
    invalidInput(''),
    invalidInput('the lamp is too bright'),
    providerFailed(''),
    providerFailed('the lamp broke'),
    ...written.map((message): Failure => ({ code: 'provider_failed', message })),
    {
      code: 'invalid_input',
      message: 'The reference image 0123456789ab… is not there any more.',
    } as const,
  ])('reads in English as it was written: %j', (failure) => {
    expect(english(failureMessage(failure))).toBe(failure.message)
  })

  test('is said in another language, and what the provider wrote is quoted as it wrote it', () => {
    expect(german(failureMessage(moderated))).toBe(
      'Der Bilddienst hat diesen Prompt nach seinen Inhaltsregeln abgelehnt. Ändern Sie den Prompt.',
    )
    expect(german(failureMessage(providerFailed('the {lamp} <broke>')))).toBe(
      'Der Bilddienst konnte dieses Bild nicht erzeugen. Im Wortlaut: the {lamp} <broke>',
    )
  })
})

test('a reason that nobody here wrote is shown as it was given', () => {
  for (const locale of LOCALES) {
    const say = wordsOf(locale)
    expect(say(failureMessage({ code: 'provider_failed', message: 'As it was.' }))).toBe(
      'As it was.',
    )
  }
})

test.each(failureCodes)('without a reason the kind is told: %s', (code) => {
  for (const locale of LOCALES) {
    const { key } = failureMessage({ code, message: ' ' })
    expect(key).toBe(`attempt.failure.${code}`)
    expect(wordsOf(locale)({ key }).length).toBeGreaterThan(10)
  }
})
