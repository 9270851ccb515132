import { expect, test } from 'vitest'
import { keepableJson, keepableText } from './keepable'

test.each([
  ['plain text', 'plain text'],
  ['a\u0000b', 'a\ufffdb'],
  ['cut \ud83d', 'cut \ufffd'],
  ['\ude00 cut', '\ufffd cut'],
  ['😀 👩‍👩‍👧 é e\u0301 \u202E', '😀 👩‍👩‍👧 é e\u0301 \u202E'],
])('keeps what can be kept of %j', (text, kept) => {
  expect(keepableText(text)).toBe(kept)
})

test('reaches every text of a value and changes nothing else', () => {
  const value = { reason: 'a\u0000', 'n\u0000': [1, 'b\ud83d', null, { deep: '\ude00', ok: true }] }
  expect(JSON.parse(keepableJson(value))).toEqual({
    reason: 'a\ufffd',
    'n\ufffd': [1, 'b\ufffd', null, { deep: '\ufffd', ok: true }],
  })
})
