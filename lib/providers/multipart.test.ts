import { expect, test } from 'vitest'
import { multipart } from './multipart'

const PROMPT = 'two\nlines, a "quote", \r\n a tree \u{1f333} and --darkroom-'
const BYTES = Buffer.from([13, 10, 45, 45, 0, 255])
const parts = [
  { name: 'prompt', text: PROMPT },
  { name: 'image[]', fileName: 'one.png', contentType: 'image/png', bytes: BYTES },
] as const

test('carries texts and bytes exactly as they are', async () => {
  const { contentType, body } = multipart(parts)
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': contentType },
  }).formData()
  expect(form.get('prompt')).toBe(PROMPT)
  const file = form.get('image[]')
  if (!(file instanceof File)) throw new Error('no file')
  expect([file.name, file.type]).toEqual(['one.png', 'image/png'])
  expect(Buffer.from(await file.arrayBuffer())).toEqual(BYTES)
})

test('makes the same bytes of the same parts, so that a request can be told by its hash', () => {
  expect(multipart(parts)).toEqual(multipart(parts))
  expect(multipart([{ name: 'prompt', text: 'x' }]).contentType).not.toBe(
    multipart(parts).contentType,
  )
})
