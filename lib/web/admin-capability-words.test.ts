import { expect, test } from 'vitest'
import { capabilityFacts, spanWords } from './admin-capability-words'

test('spans are said in the largest unit that fits', () => {
  expect([1_000, 5_400_000, 86_400_000, 172_800_000, 5].map(spanWords)).toEqual([
    '1 second',
    '90 minutes',
    '1 day',
    '2 days',
    '5 milliseconds',
  ])
})

test('what is not declared is said as not there, and never guessed', () => {
  const words = Object.fromEntries(capabilityFacts({ answers: 'later' }))
  expect(words).toMatchObject({
    Search: 'none',
    'Same POST again': 'would make a second task',
    Callbacks: 'none',
    Cancelling: 'not possible',
    'Result kept': 'not established',
  })
  expect(
    Object.fromEntries(
      capabilityFacts({
        answers: 'at-once',
        lookup: { by: 'reference', forMs: 3_600_000 },
        idempotentForMs: 86_400_000,
        callback: 'attempt',
        cancel: 'asked',
        resultForMs: 600_000,
      }),
    ),
  ).toMatchObject({ Search: 'by reference, for 1 hour', 'Result kept': 'for 10 minutes' })
  expect(capabilityFacts(null)).toEqual([['Capabilities', 'no worker has said yet']])
})
