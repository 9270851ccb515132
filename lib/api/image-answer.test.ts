import { expect, test } from 'vitest'
import { imageAnswer } from './image-answer'

const image = { bytes: Buffer.from('bytes'), contentType: 'image/png', sha256: 'ab12' }
const asked = (headers: Record<string, string> = {}) =>
  imageAnswer(new Request('http://localhost/image', { headers }), image, 'private, max-age=9')

test('an image is answered as its bytes, as a picture and nothing else', async () => {
  const answer = asked()
  expect(answer.status).toBe(200)
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(image.bytes)
  expect(Object.fromEntries(answer.headers)).toEqual({
    etag: '"ab12"',
    'cache-control': 'private, max-age=9',
    'content-type': 'image/png',
    'content-length': '5',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  })
})

test.each(['"ab12"', 'W/"ab12"', '"other", "ab12"', '*'])(
  'who has it already (%s) is told so, without the bytes',
  async (tags) => {
    const answer = asked({ 'if-none-match': tags })
    expect(answer.status).toBe(304)
    expect(answer.headers.get('etag')).toBe('"ab12"')
    expect(await answer.text()).toBe('')
  },
)

test.each(['"other"', 'ab12', ''])('who has another (%s) is given the bytes', (tags) => {
  expect(asked({ 'if-none-match': tags }).status).toBe(200)
})
