import { expect, test, vi } from 'vitest'
import { uploadReference } from './upload-reference'

const SHA256 = 'a'.repeat(64)
const png = new Blob(['picture'], { type: 'image/png' })
const answering = (status: number, body: unknown) =>
  vi.fn<typeof fetch>(async () => Promise.resolve(Response.json(body, { status })))

test('an image is named by what the server kept it under', async () => {
  const fetchIt = answering(200, { sha256: SHA256 })
  expect(await uploadReference(png, fetchIt)).toEqual({ ok: true, sha256: SHA256 })
  expect(fetchIt).toHaveBeenCalledExactlyOnceWith('/api/reference-images', {
    method: 'POST',
    body: png,
  })
})

test.each([
  ['no image', new Blob(['text'], { type: 'text/plain' }), 'not-an-image'],
  [
    'too large',
    new Blob([new Uint8Array(8 * 1024 * 1024 + 1)], { type: 'image/png' }),
    'too-large',
  ],
])('what is %s does not travel', async (_, file, problem) => {
  const fetchIt = answering(200, {})
  expect(await uploadReference(file, fetchIt)).toEqual({ ok: false, problem })
  expect(fetchIt).not.toHaveBeenCalled()
})

test.each([
  [401, { code: 'signed_out' }, 'signed-out'],
  [413, { code: 'too_large' }, 'too-large'],
  [422, { code: 'not-an-image' }, 'not-an-image'],
  [422, { code: 'too-many' }, 'too-many'],
  [422, { code: 'account-suspended' }, 'no-answer'],
  [500, 'oh', 'no-answer'],
  [200, { sha256: 7 }, 'no-answer'],
])('an answer %i %o is said as %s', async (status, body, problem) => {
  expect(await uploadReference(png, answering(status, body))).toEqual({ ok: false, problem })
})

test('no answer is no refusal', async () => {
  const fetchIt = vi.fn<typeof fetch>(async () => Promise.reject(new TypeError('offline')))
  expect(await uploadReference(png, fetchIt)).toEqual({ ok: false, problem: 'no-answer' })
})
