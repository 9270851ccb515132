import { cutShort, reset, saying, silent, type Act } from '@/test/scripted-server'

/** What tells nothing about a submission, whoever the provider is: the task may exist. */
export const unanswered: readonly (readonly [string, Act])[] = [
  ['a reset', reset],
  ['silence', silent],
  ['an answer that breaks off', cutShort(200, '{"id":"12')],
  ['200 and HTML', saying(200, '<html>welcome</html>')],
  ['200 and nothing', saying(200, '')],
  ['200 and another shape', saying(200, { hello: 'world' })],
  ['200 and a list', saying(200, [])],
  ['a redirect', saying(302, '', { location: '/elsewhere' })],
  ['400 and HTML', saying(400, '<html>Bad Request</html>')],
  ['403 and HTML', saying(403, '<html>Forbidden</html>')],
  ['408', saying(408, {})],
  ['429 and HTML', saying(429, '<html>Slow down</html>', { 'retry-after': '1' })],
  ['500', saying(500, { error: 'it broke' })],
  ['502 and HTML', saying(502, '<html>Bad Gateway</html>')],
  ['503', saying(503, { error: 'down' }, { 'retry-after': '5' })],
  ['504', saying(504, {})],
]

/** What tells nothing about a task when it is looked at. */
export const failedLooks: readonly (readonly [string, Act])[] = [
  ['a reset', reset],
  ['silence', silent],
  ['HTML', saying(200, '<html>')],
  ['nothing', saying(200, '')],
  ['a redirect', saying(302, '', { location: '/elsewhere' })],
  ['401', saying(401, { error: 'no' })],
  ['500', saying(500)],
  ['503', saying(503)],
]

/** `Retry-After` as it may come, and what is made of it. */
export const retryAfters: readonly (readonly [string, string | undefined, number | undefined])[] = [
  ['seconds', '7', 7_000],
  ['a date', 'Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
  ['a date gone by', 'Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['words', 'soon', undefined],
  ['a negative number', '-5', undefined],
  ['nothing', undefined, undefined],
]
/** When the tests' providers believe it is, so that dates in headers mean something. */
export const TEST_NOW = new Date('2026-01-01T00:00:00Z')
