import { expect, test } from 'vitest'
import { isFromOwnPage } from './own-page'

const HTTP = 'http://localhost:3000'
const HTTPS = 'https://darkroom.example'

test.each([
  ['no origin', HTTP, { host: 'localhost:3000' }],
  ['an opaque origin', HTTP, { host: 'localhost:3000', origin: 'null' }],
  ['an empty origin', HTTP, { host: 'localhost:3000', origin: '' }],
  ['another site', HTTP, { host: 'localhost:3000', origin: 'http://evil.example' }],
  ['another port', HTTP, { host: 'localhost:3000', origin: 'http://localhost:3001' }],
  ['another scheme', HTTP, { host: 'localhost:3000', origin: 'https://localhost:3000' }],
  [
    'our name as the beginning of another',
    HTTPS,
    { origin: 'https://darkroom.example.evil.example' },
  ],
  ['our name as the end of another', HTTPS, { origin: 'https://evil-darkroom.example' }],
  [
    'the unencrypted sister',
    HTTPS,
    { origin: 'http://darkroom.example', host: 'darkroom.example' },
  ],
  [
    'another name of an encrypted server',
    HTTPS,
    { origin: 'https://a.example', host: 'a.example' },
  ],
  ['a forwarded name', HTTP, { origin: 'http://evil.example', 'x-forwarded-host': 'evil.example' }],
])('does not take %s for a page of ours', (_, appUrl, headers) => {
  expect(isFromOwnPage(new Headers(headers), appUrl)).toBe(false)
})

test.each([
  [
    'the address that we are known by',
    HTTPS,
    { origin: 'https://darkroom.example', host: 'web-1' },
  ],
  [
    'another name of this machine',
    HTTP,
    { origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' },
  ],
])('takes %s for a page of ours', (_, appUrl, headers) => {
  expect(isFromOwnPage(new Headers(headers), appUrl)).toBe(true)
})
