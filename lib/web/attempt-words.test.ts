import { describe, expect, test } from 'vitest'
import {
  attemptStates,
  failureCodes,
  isFinal,
  settlementKinds,
  type AttemptStateName,
  type SettlementKind,
} from '@/lib/domain/attempt'
import { moneyVocabulary, wordsOf } from '@/test/words'
import {
  announcements as announcementsIn,
  attemptWords as messagesOf,
  badgedTitle,
  canCancel,
  endings as endingsIn,
  moneyWords as moneyMessage,
  type AttemptFacts,
} from './attempt-words'
import { LOCALES, type Locale } from './locales'

const english = wordsOf('en')
const moneyWords = (attempt: Parameters<typeof moneyMessage>[0], say = english) =>
  say(moneyMessage(attempt))
function attemptWords(attempt: AttemptFacts, say = english) {
  const { title, text, next, cancel, money } = messagesOf(attempt)
  return {
    title: say(title),
    text: say(text),
    next: next && say(next),
    cancel: cancel && say(cancel),
    money: say(money),
  }
}
type Lists = Parameters<typeof announcementsIn>
const announcements = (before: Lists[0], after: Lists[1]) => announcementsIn(before, after, english)
const endings = (before: Lists[0], after: Lists[1]) => endingsIn(before, after, english)

const settlements: readonly (SettlementKind | null)[] = [null, ...settlementKinds]
const everyCase = attemptStates.flatMap((state) =>
  settlements.map((settlement) => ({ state, settlement })),
)
const inEveryLanguage = LOCALES.flatMap((locale) =>
  (['credits', 'allowance'] as const).flatMap((reserved) =>
    everyCase.map((one) => ({ ...one, reserved, locale })),
  ),
)
const facts = (change: Partial<AttemptFacts>): AttemptFacts => ({
  state: 'pending',
  settlement: null,
  price: 4,
  reserved: 'credits',
  failure: null,
  cancel_requested: false,
  ...change,
})
const failed = { code: 'moderated', message: 'Refused by the content rules.' } as const

describe('the money sentence', () => {
  const rows: readonly (readonly [AttemptStateName, SettlementKind | null, string])[] = [
    ['failed', 'released', 'You were not charged.'],
    ['failed', 'compensated', 'You got 4 credits back by decision; the outcome is recorded.'],
    ['status_unknown', null, '4 credits are on hold.'],
    [
      'status_unknown',
      'compensated',
      '4 credits given back by decision; the outcome is still open.',
    ],
    ['storage_failed', null, '4 credits are on hold.'],
    ['completed', 'settled', 'Charged 4 credits.'],
    ['completed', 'compensated', 'Delivered; nothing was charged.'],
  ]
  test.each(rows)('of %s with settlement %s is "%s"', (state, settlement, sentence) => {
    expect(moneyWords({ state, settlement, price: 4, reserved: 'credits' })).toBe(sentence)
  })

  test('speaks of one credit in the singular', () => {
    expect(moneyWords({ state: 'pending', settlement: null, price: 1, reserved: 'credits' })).toBe(
      '1 credit is on hold.',
    )
  })

  const freeRows: readonly (readonly [AttemptStateName, SettlementKind | null, string])[] = [
    ['pending', null, '1 free image is on hold.'],
    ['completed', 'settled', 'Used 1 free image of that day.'],
    ['failed', 'released', 'You were not charged. The free image is back.'],
    ['completed', 'compensated', 'Delivered; nothing was charged.'],
    [
      'status_unknown',
      'compensated',
      '1 free image given back by decision; the outcome is still open.',
    ],
  ]
  test.each(freeRows)(
    'of a free image, %s with settlement %s, is "%s"',
    (state, settlement, words) => {
      expect(moneyWords({ state, settlement, price: 4, reserved: 'allowance' })).toBe(words)
    },
  )

  test.each(everyCase)('never speaks of credits where none are held: %j', (attempt) => {
    expect(moneyWords({ ...attempt, price: 4, reserved: 'allowance' })).not.toMatch(
      /credit|^Charged/,
    )
  })

  test.each(inEveryLanguage)('never says more than the settlement: %j', (one) => {
    const { locale, reserved, settlement, state } = one
    const sentence = moneyWords({ state, settlement, reserved, price: 4 }, wordsOf(locale))
    const { onHold, charged, notCharged, givenBack } = moneyVocabulary[locale]
    expect(onHold.test(sentence), sentence).toBe(settlement === null)
    expect(charged.test(sentence), sentence).toBe(settlement === 'settled')
    expect(notCharged.test(sentence), sentence).toBe(settlement === 'released')
    expect(givenBack.test(sentence), sentence).toBe(settlement === 'compensated')
  })

  test.each([
    ['en', 1_200, '1,200 credits are on hold.'],
    ['de', 1_200, '1.200 Credits sind reserviert.'],
    ['de', 1, '1 Credit ist reserviert.'],
    ['ja', 1_200, '1,200 クレジットを仮押さえしています。'],
    ['ja', 1, '1 クレジットを仮押さえしています。'],
  ] as const)('writes numbers and plurals as %s does: %i', (locale, price, sentence) => {
    const held = { state: 'pending', settlement: null, price, reserved: 'credits' } as const
    expect(moneyWords(held, wordsOf(locale))).toBe(sentence)
  })
})

describe('the other sentences', () => {
  test.each(everyCase)('claim nothing about money that was decided: %j', (change) => {
    const { text, next } = attemptWords(facts({ ...change, failure: failed }))
    expect(`${text} ${next ?? ''}`).not.toMatch(
      /\b(was|were|been|not) charged\b|\brefunded\b|\d+ credits?/,
    )
  })

  test.each(everyCase)('promise a charge only while the hold stands: %j', (change) => {
    const { next = '' } = attemptWords(facts({ ...change, failure: failed }))
    if (/becomes a charge|hold comes back/.test(next)) expect(change.settlement).toBeNull()
    if (/for nothing/.test(next)) expect(change.settlement).toBe('compensated')
  })

  test.each(attemptStates.filter((state) => !isFinal(state)))(
    'say what happens next while %s',
    (state) => {
      expect(attemptWords(facts({ state })).next).toBeTruthy()
      expect(attemptWords(facts({ state, settlement: 'compensated' })).next).toBeTruthy()
    },
  )

  test.each(
    LOCALES.flatMap((locale) =>
      (['status_unknown', 'delivering', 'storage_failed'] as const).map(
        (state): readonly [AttemptStateName, Locale] => [state, locale],
      ),
    ),
  )('never call %s a failure, in %s', (state, locale) => {
    const { title, text, next, money } = attemptWords(facts({ state }), wordsOf(locale))
    const page = `${title} ${text} ${next ?? ''} ${money}`
    expect(page).not.toMatch(moneyVocabulary[locale].failed)
    expect(page).not.toMatch(moneyVocabulary[locale].notCharged)
  })

  test('say of an unresolved attempt what is known and what the credits do', () => {
    expect(attemptWords(facts({ state: 'status_unknown' }))).toMatchObject({
      title: 'Unresolved',
      text: 'We sent it once and the answer got lost. We are finding out.',
      money: '4 credits are on hold.',
    })
  })

  test('say that a picture which could not be kept is fetched again and not made again', () => {
    const { text, next } = attemptWords(facts({ state: 'storage_failed' }))
    expect(text).toContain('trying again')
    expect(next).toContain('never made twice')
  })

  test('give the reason of a failure as it was recorded', () => {
    expect(attemptWords(facts({ state: 'failed', failure: failed })).text).toBe(failed.message)
  })

  test.each(failureCodes)('have a reason for %s that came without one', (code) => {
    const { text } = attemptWords(facts({ state: 'failed', failure: { code, message: ' ' } }))
    expect(text.length).toBeGreaterThan(10)
  })
})

describe('announcements', () => {
  const seen = { id: 'a', prompt: 'A lighthouse', ...facts({ state: 'pending' }) }

  test('tell a change of a known attempt once, with what it means for the credits', () => {
    const done = { ...seen, state: 'completed', settlement: 'settled' } as const
    expect(announcements([seen], [done])).toEqual([
      'Delivered: A lighthouse. The picture is made, checked and kept. Charged 4 credits.',
    ])
    expect(announcements([done], [done])).toEqual([])
  })

  test('are silent about attempts that were not on the page before', () => {
    expect(announcements([], [seen])).toEqual([])
  })

  test('cut a long prompt between characters, never inside one', () => {
    const long = { ...seen, prompt: '😀'.repeat(100) }
    const [sentence = ''] = announcements([long], [{ ...long, state: 'delivering' }])
    expect(sentence.isWellFormed()).toBe(true)
    expect(sentence).toContain('😀…')
  })
})

describe('a wish to cancel', () => {
  const wish = { cancel_requested: true }
  test.each([
    [{}, 'Cancel requested. It may still arrive and be charged.'],
    [{ reserved: 'allowance' }, 'Cancel requested. It may still arrive and use the free image.'],
    [{ settlement: 'compensated' }, 'Cancel requested. It may still arrive, for nothing.'],
    [{ state: 'delivering' }, 'Cancel requested. It may still arrive and be charged.'],
    [{ state: 'completed', settlement: 'settled' }, undefined],
    [{ cancel_requested: false }, undefined],
  ] as const)('that was sent says what may still come: %j', (change, sentence) => {
    expect(attemptWords(facts({ ...wish, ...change })).cancel).toBe(sentence)
  })

  test('with proof says that nothing was made and nothing is charged', () => {
    const failure = { code: 'cancelled', message: 'You cancelled it before it was sent.' } as const
    const cancelled = facts({ state: 'failed', failure, settlement: 'released' })
    expect(attemptWords(cancelled)).toMatchObject({
      text: 'Cancelled. Nothing was made, nothing is charged.',
      money: 'You were not charged.',
      cancel: undefined,
    })
    // It was given back before: what that was is the money's sentence alone.
    expect(attemptWords({ ...cancelled, settlement: 'compensated' }).text).toBe(
      'Cancelled. Nothing was made.',
    )
  })

  test.each(attemptStates)('is offered once, and only while it can do something: %s', (state) => {
    const open = ['initializing', 'submitting', 'pending', 'status_unknown'].includes(state)
    expect(canCancel(facts({ state }))).toBe(open)
    expect(canCancel(facts({ state, ...wish }))).toBe(false)
  })

  test('is told when it is noted', () => {
    const before = { id: 'a', prompt: 'A lighthouse', ...facts({}) }
    const [sentence] = announcements([before], [{ ...before, ...wish }])
    expect(sentence).toContain('Cancel requested. It may still arrive and be charged.')
  })
})

describe('endings', () => {
  const before = { id: 'a', prompt: 'A lighthouse', ...facts({}) }
  test.each([
    [
      { state: 'completed', settlement: 'settled' },
      { id: 'a', title: 'Delivered', body: 'A lighthouse. Charged 4 credits.' },
    ],
    [
      { state: 'status_unknown' },
      { id: 'a', title: 'Unresolved', body: 'A lighthouse. 4 credits are on hold.' },
    ],
  ] as const)('call back for what ended or got lost: %j', (change, ending) => {
    expect(endings([before], [{ ...before, ...change }])).toEqual([ending])
  })

  test('are silent about what goes on, and what was not known before', () => {
    expect(endings([before], [{ ...before, state: 'delivering' }])).toEqual([])
    expect(endings([], [{ ...before, state: 'completed' }])).toEqual([])
    const done = { ...before, state: 'completed', settlement: 'settled' } as const
    expect(endings([done], [done])).toEqual([])
  })
})

test.each([
  ['Studio', 2, '(2) Studio'],
  ['(2) Studio', 1, '(1) Studio'],
  ['(2) Studio', 0, 'Studio'],
])('the title %j with %s under way is %j', (title, working, expected) => {
  expect(badgedTitle(title, working)).toBe(expected)
})

test('a deleted picture is not said to be kept, and its money is what it was', () => {
  const delivered: AttemptFacts = {
    state: 'completed',
    settlement: 'settled',
    price: 4,
    reserved: 'credits',
    failure: null,
    cancel_requested: false,
  }
  const deleted = { ...delivered, deleted_at: '2026-11-30T07:00:00.000Z' }
  expect(attemptWords(deleted).text).toBe('The picture was delivered, and you deleted it since.')
  expect(attemptWords(deleted).money).toBe(attemptWords(delivered).money)
})
