import { expect, test } from 'vitest'
import { bytesFromBase64 } from './base64'

const BYTES = Buffer.from([0, 250, 251, 255, 1])

test.each([
  ['as it should be', 'APr7/wE='],
  ['without padding', 'APr7/wE'],
  ['in the alphabet for addresses', 'APr7_wE='],
  ['wrapped', 'APr7\r\n/wE=\n'],
])('reads an image that is written %s', (_how, text) => {
  expect(bytesFromBase64(text)).toEqual(BYTES)
})

test.each(['', '   ', '<html>', 'APr7/wE=AA', 'data:image/png;base64,AAAA'])(
  'takes %j for no image',
  (text) => {
    expect(bytesFromBase64(text)).toBeUndefined()
  },
)
