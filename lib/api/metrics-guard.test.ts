import { expect, test } from 'vitest'
import { mayReadMetrics } from './metrics-guard'

const token = 'a token of thirty-two characters.'
const here = 'http://localhost:3000'
const there = 'https://darkroom.example'
const right = { authorization: `Bearer ${token}` }

type Case = readonly [
  what: string,
  may: boolean,
  headers: Readonly<Record<string, string>>,
  appUrl: string,
  token: string | undefined,
]

const cases: readonly Case[] = [
  ['the token, from anywhere', true, { ...right, 'x-forwarded-for': '203.0.113.7' }, there, token],
  ['a wrong token', false, { authorization: `Bearer ${token}x` }, there, token],
  [
    'a wrong token of its length',
    false,
    { authorization: `Bearer ${'x'.repeat(33)}` },
    there,
    token,
  ],
  ['the token without its scheme', false, { authorization: token }, there, token],
  ['no token', false, {}, there, token],
  ['a token where none is set', false, right, there, undefined],
  [
    'this machine, of an installation elsewhere',
    false,
    { 'x-forwarded-for': '127.0.0.1' },
    there,
    undefined,
  ],
  ['this machine', true, { 'x-forwarded-for': '::ffff:127.0.0.1' }, here, undefined],
  [
    'this machine, by its other address',
    true,
    { 'x-forwarded-for': '::1' },
    'http://127.0.0.1:80',
    token,
  ],
  ['another machine', false, { 'x-forwarded-for': '192.0.2.1' }, here, undefined],
  [
    'another machine behind ours',
    false,
    { 'x-forwarded-for': '127.0.0.1, 192.0.2.1' },
    here,
    token,
  ],
  [
    'a name that begins like ours',
    false,
    { 'x-forwarded-for': '127.0.0.1' },
    'http://localhost.example',
    undefined,
  ],
  // Next.js always says from where: a request that does not say did not come through it.
  ['nowhere', false, {}, here, undefined],
]

test.each(cases)('%s: %s', (_what, may, headers, appUrl, set) => {
  expect(mayReadMetrics(new Headers(headers), { token: set, appUrl })).toBe(may)
})
