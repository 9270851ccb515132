import { expect, test } from 'vitest'
import { safePath } from './safe-path'

test.each(['/studio', '/images/1?cursor=2#top', '/a%20b'])('leads back to %s', (path) => {
  expect(safePath(path, '/studio')).toBe(path)
})

test.each([
  'https://elsewhere.example/',
  '//elsewhere.example',
  '/\\elsewhere.example',
  '/\t/elsewhere.example',
  '/\n/elsewhere.example',
  'javascript:alert(1)',
  'studio',
  '',
  `/${'x'.repeat(3_000)}`,
  undefined,
  ['/studio'],
])('never leaves the site for %j', (value) => {
  expect(safePath(value, '/fallback')).toBe('/fallback')
})

test('what it returns is never read as another site, however it was written', () => {
  for (const value of [
    '/..//elsewhere.example',
    '/.//elsewhere.example',
    '/a/..//elsewhere.example',
  ]) {
    expect(new URL(safePath(value, '/'), 'http://here.test').origin).toBe('http://here.test')
  }
})
