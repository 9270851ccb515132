import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pictureFileName } from './file-name'

const id = '01890000-0000-7000-8000-00001234abcd'
const nameOf = (prompt: string, contentType = 'image/png') =>
  pictureFileName({ prompt, id, contentType })

test.each([
  ['A red fox, in the snow!', 'A-red-fox-in-the-snow-1234abcd.png'],
  ['../../etc/passwd', 'etc-passwd-1234abcd.png'],
  ['CON', 'CON-1234abcd.png'],
  ['"/\\:*?<>|', 'darkroom-1234abcd.png'],
  ['😀👩‍👩‍👧', 'darkroom-1234abcd.png'],
  ['雪山の朝', '雪山の朝-1234abcd.png'],
  ['جبل في الثلج', 'جبل-في-الثلج-1234abcd.png'],
  ['हिमालय', 'हिमालय-1234abcd.png'],
  ['cafe\u0301', 'caf\u00e9-1234abcd.png'],
  ['\u202etxt.exe', 'txt-exe-1234abcd.png'],
  ['\u0301mark', 'mark-1234abcd.png'],
])('the picture of %j is saved as %j', (prompt, name) => {
  expect(nameOf(prompt)).toBe(name)
})

test.each([
  ['image/jpeg', 'x-1234abcd.jpg'],
  ['image/webp', 'x-1234abcd.webp'],
  ['image/of-tomorrow', 'x-1234abcd.png'],
])('a picture of type %s is saved as %s', (type, name) => {
  expect(nameOf('x', type)).toBe(name)
})

test('whatever the prompt, the name is whole, short enough and one step of a path', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (prompt) => {
      const name = nameOf(prompt)
      expect(name).toMatch(/^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}-]*-1234abcd\.png$/u)
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
      expect(name.isWellFormed()).toBe(true)
    }),
  )
})
