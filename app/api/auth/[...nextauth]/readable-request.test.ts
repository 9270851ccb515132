import { expect, test } from 'vitest'
import { readableRequest } from './readable-request'

const URL = 'http://localhost:3000/api/auth/signin'
const asked = (query: string, cookie = '') => new Request(`${URL}${query}`, { headers: { cookie } })
const sent = (body: string, contentType: string) =>
  new Request(URL, { method: 'POST', body, headers: { 'content-type': contentType } })

test.each([
  ['an address that is none', asked('?callbackUrl=evil')],
  ['a script for an address', asked('?callbackUrl=javascript:alert(1)')],
  ['two addresses', asked('?callbackUrl=/a&callbackUrl=/b')],
  ['a cookie with an address that is none', asked('', 'a=b; next-auth.callback-url=%00')],
  ['a cookie that nobody can read', asked('', '__Secure-next-auth.callback-url=%')],
  ['JSON that is none', sent('{"a":', 'application/json')],
  ['JSON that is no object', sent('[]', 'application/json; charset=utf-8')],
  ['JSON with an address that is none', sent('{"callbackUrl":"evil"}', 'application/json')],
  [
    'a form with an address that is none',
    sent('callbackUrl=%00', 'application/x-www-form-urlencoded'),
  ],
  [
    'more than anybody signs in with',
    sent('a='.repeat(20_000), 'application/x-www-form-urlencoded'),
  ],
])('%s is not handed to next-auth', async (_, request) => {
  expect(await readableRequest(request)).toBeUndefined()
})

test.each([
  ['no address', asked('')],
  ['a path', asked('?callbackUrl=%2Fstudio')],
  ['an address of ours', asked('', `next-auth.callback-url=${encodeURIComponent(URL)}`)],
])('%s is', async (_, request) => {
  expect(await readableRequest(request)).toBe(request)
})

test('a form arrives whole', async () => {
  const form = sent('email=a%40example.com&csrfToken=b', 'application/x-www-form-urlencoded')
  const readable = await readableRequest(form)
  expect(await readable?.text()).toBe('email=a%40example.com&csrfToken=b')
  expect(readable?.headers.get('content-type')).toBe('application/x-www-form-urlencoded')
})
