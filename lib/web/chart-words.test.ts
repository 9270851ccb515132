import { expect, test } from 'vitest'
import { wordsOf } from '@/test/words'
import { chartTop, dayUseWords, summaryWords } from './chart-words'

const english = wordsOf('en')
const day = (charged: number, held = 0, images = charged) => ({
  day: '2026-11-30',
  charged,
  held,
  images,
})

test.each([
  [0, 5],
  [5, 5],
  [6, 10],
  [10, 10],
  [11, 20],
  [21, 50],
  [51, 100],
  [1_001, 2_000],
])('a day of %i credits fits under %i', (most, top) => {
  expect(chartTop([day(0), day(most)])).toBe(top)
})

test('a hold is on top of what is charged', () => {
  expect(chartTop([day(6, 6)])).toBe(20)
})

test.each([
  [day(0), '30 Nov: nothing'],
  [day(1), '30 Nov: 1 credit charged for 1 image'],
  [day(8, 4, 2), '30 Nov: 8 credits charged for 2 images, 4 credits on hold'],
  [day(0, 4, 0), '30 Nov: 4 credits on hold'],
])('a day is told in words: %j', (use, words) => {
  expect(english(dayUseWords(use, 'en'))).toBe(words)
})

test('the whole is told in one sentence', () => {
  expect(english(summaryWords([day(0)]))).toBe('No credits were used in these days.')
  expect(english(summaryWords([day(4, 0, 1), day(8, 4, 2)]))).toBe(
    '12 credits charged for 3 images, and 4 credits still on hold.',
  )
})

test('a hold alone is no charge', () => {
  expect(english(summaryWords([day(0, 4, 0)]))).toBe(
    'No credits charged, and 4 credits still on hold.',
  )
})

test('each language writes the day and the figures as it does', () => {
  expect(wordsOf('de')(dayUseWords(day(1_200, 0, 300), 'de'))).toBe(
    '30. Nov.: 1.200 Credits berechnet für 300 Bilder',
  )
  expect(wordsOf('ja')(dayUseWords(day(8, 4, 2), 'ja'))).toBe(
    '11月30日：2 枚の画像で 8 クレジットを消費、4 クレジットを仮押さえ中',
  )
})
