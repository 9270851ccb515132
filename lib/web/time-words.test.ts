import { expect, test } from 'vitest'
import { resetsAt } from '@/lib/domain/allowance'
import { wordsOf } from '@/test/words'
import type { Message } from './message'
import {
  canLookAgain,
  clockWords,
  durationWords,
  localTimeWords,
  lookWords,
  utcWords,
} from './time-words'

const english = wordsOf('en')
const said = (message: Message | undefined) => message && english(message)

test.each([
  [0, '0:00'],
  [7_900, '0:07'],
  [61_000, '1:01'],
  [3_723_000, '1:02:03'],
  [-5_000, '0:00'],
])('a clock after %d ms reads %s', (ms, words) => {
  expect(clockWords(0, ms)).toBe(words)
})

test.each([
  [59_999, '59 s'],
  [60_000, '1 min'],
  [3_600_000, '1 h'],
  [172_799_000, '47 h'],
  [172_800_000, '2 d'],
])('%d ms are %s', (ms, words) => {
  expect(english(durationWords(0, ms))).toBe(words)
})

test('says when we looked and when we look again, as far as either is known', () => {
  const at = (seconds: number) => new Date(seconds * 1_000).toISOString()
  const look = (lookedAt: string | null, nextLookAt: string | null) =>
    said(lookWords({ lookedAt, nextLookAt }, 100_000, english))
  expect(look(at(97), at(112))).toBe('Last looked 3 s ago, next look in 12 s.')
  expect(look(at(97), at(99))).toBe('Last looked 3 s ago, looking now.')
  expect(look(null, at(112))).toBe('Next look in 12 s.')
  expect(look(at(97), null)).toBe('Last looked 3 s ago.')
  expect(look(null, at(99))).toBe('Looking now.')
  expect(look(null, null)).toBeUndefined()
})

test('a time in UTC says so', () => {
  expect(utcWords('2026-11-30T07:12:05.123Z')).toBe('2026-11-30 07:12:05 UTC')
})

// When new free images come, where days of 23 and of 25 hours begin and end: before, on and after them.
test.each([
  ['Europe/Berlin', '2026-03-27', '28 Mar 2026, 01:00:00 CET'],
  ['Europe/Berlin', '2026-03-28', '29 Mar 2026, 01:00:00 CET'],
  ['Europe/Berlin', '2026-03-29', '30 Mar 2026, 02:00:00 CEST'],
  ['Europe/Berlin', '2026-10-23', '24 Oct 2026, 02:00:00 CEST'],
  // This hour comes twice: the words say which.
  ['Europe/Berlin', '2026-10-24', '25 Oct 2026, 02:00:00 CEST'],
  ['Europe/Berlin', '2026-10-25', '26 Oct 2026, 01:00:00 CET'],
  ['America/New_York', '2026-03-07', '7 Mar 2026, 19:00:00 GMT-5'],
  ['America/New_York', '2026-03-08', '8 Mar 2026, 20:00:00 GMT-4'],
  ['America/New_York', '2026-10-31', '31 Oct 2026, 20:00:00 GMT-4'],
  ['America/New_York', '2026-11-01', '1 Nov 2026, 19:00:00 GMT-5'],
  ['Asia/Kolkata', '2026-03-29', '30 Mar 2026, 05:30:00 GMT+5:30'],
  ['UTC', '2026-03-29', '30 Mar 2026, 00:00:00 UTC'],
])('in %s the free images of %s are followed by new ones at %s', (timeZone, day, words) => {
  const iso = resetsAt({ day, limit: 5, delivered: 0, held: 0 }).toISOString()
  expect(localTimeWords(iso, { locale: 'en', zone: true, timeZone })).toBe(words)
})

test.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'])(
  'in %s every day of the year has its own moment of new free images, and says it unlike any other',
  (timeZone) => {
    const days = Array.from({ length: 365 }, (_, index) =>
      new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
    )
    const moments = days.map((day) => resetsAt({ day, limit: 5, delivered: 0, held: 0 }))
    expect(moments.every((moment) => moment.getTime() % 86_400_000 === 0)).toBe(true)
    const words = moments.map((moment) =>
      localTimeWords(moment.toISOString(), { locale: 'en', zone: true, timeZone }),
    )
    expect(new Set(words).size).toBe(days.length)
  },
)

test('a time without its zone is the same moment in fewer words', () => {
  const iso = '2026-10-25T00:00:00.000Z'
  expect(localTimeWords(iso, { locale: 'en', timeZone: 'Europe/Berlin' })).toBe(
    '25 Oct 2026, 02:00:00',
  )
})

test.each([
  ['en', '25 Oct 2026, 02:00:00'],
  ['de', '25. Okt. 2026, 02:00:00'],
  ['ja', '2026年10月25日 02:00:00'],
] as const)('a time in %s is written as one writes it there', (locale, words) => {
  const iso = '2026-10-25T00:00:00.000Z'
  expect(localTimeWords(iso, { locale, timeZone: 'Europe/Berlin' })).toBe(words)
})

test.each([
  ['generating', -20, 20, true],
  ['unresolved', -20, 20, true],
  ['delivering', null, 20, true],
  ['generating', -5, 20, false],
  ['generating', -20, 4, false],
  ['generating', null, 20, false],
  // Nothing was found to look at: a look would find nothing either.
  ['unresolved', null, 20, false],
  ['queued', -20, 20, false],
  ['delivered', -20, null, false],
])('looking again at what is %s, looked at %s s ago and due in %s s: %s', (...row) => {
  const [status, looked, due, expected] = row
  const at = (seconds: number | null) =>
    seconds === null ? null : new Date(1_000_000 + seconds * 1_000).toISOString()
  const attempt = { status, looked_at: at(looked), next_look_at: at(due) }
  expect(canLookAgain(attempt, 1_000_000)).toBe(expected)
})
