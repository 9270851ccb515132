import { expect, test } from 'vitest'
import { parseEnvironment } from '@/lib/env'
import { externalProviders, externalWays, personFrom } from './external-providers'

const env = (changed: Record<string, string> = {}) =>
  parseEnvironment({
    DATABASE_URL: 'postgresql://darkroom_app@127.0.0.1:5432/darkroom',
    AUTH_SECRET: 'x'.repeat(32),
    ...changed,
  })
const way = { id: 'oidc', name: 'Example', issuer: 'https://id.example' } as const

test('what is not set up is not offered', () => {
  expect(externalWays(env())).toEqual([])
  expect(externalProviders(env())).toEqual([])
})

test('each is offered by its name, and checks state and proof key', () => {
  const all = env({
    GITHUB_CLIENT_ID: 'a',
    GITHUB_CLIENT_SECRET: 'b',
    GOOGLE_CLIENT_ID: 'c',
    GOOGLE_CLIENT_SECRET: 'd',
    OIDC_ISSUER: 'https://id.example',
    OIDC_CLIENT_ID: 'e',
    OIDC_CLIENT_SECRET: 'f',
    OIDC_NAME: 'Example',
  })
  expect(externalWays(all).map(({ name }) => name)).toEqual(['GitHub', 'Google', 'Example'])
  for (const { checks } of externalProviders(all)) {
    expect(checks).toEqual(expect.arrayContaining(['pkce', 'state']))
  }
})

test.each([
  [{ GITHUB_CLIENT_ID: 'a' }, 'GITHUB_CLIENT_SECRET'],
  [{ OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'a' }, 'OIDC_CLIENT_SECRET'],
  [{ SMTP_URL: 'smtp://mail.example' }, 'MAIL_FROM'],
])('half of %j is refused with what is missing', (half, missing) => {
  expect(() => env(half)).toThrow(`${missing}: is missing; expected too`)
})

test.each([
  [true, 'ada@example.com'],
  ['true', 'ada@example.com'],
  [false, undefined],
  ['false', undefined],
  [undefined, undefined],
])('an address that is verified: %j counts as %j', (verified, counted) => {
  const claims = { sub: '7', email: ' Ada@Example.com', email_verified: verified, name: 'Ada' }
  expect(personFrom(way, claims)).toEqual({
    issuer: 'https://id.example',
    subject: '7',
    verifiedEmail: counted,
    name: 'Ada',
  })
})

test.each([
  [{ email: 'ada@example.com', email_verified: true }],
  [{ sub: '' }],
  [{ sub: 7 }],
  [undefined],
])('%j names nobody', (claims) => {
  expect(personFrom(way, claims)).toBeUndefined()
})

test('whoever has no name is called by what stands before the @', () => {
  const claims = { sub: '7', email: 'ada@example.com', email_verified: true, name: ' ' }
  expect(personFrom(way, claims)?.name).toBe('ada')
  expect(personFrom(way, { sub: '7' })?.name).toBe('somebody')
})
