import { NextRequest } from 'next/server'
import { afterEach, expect, test, vi } from 'vitest'

const SECRET = 'a secret of a test, long enough for it'

/** The proxy of a process with these settings. */
async function proxyOf(settings: Readonly<Record<string, string>>) {
  vi.resetModules()
  const all = { DATABASE_URL: 'postgresql://nowhere', AUTH_SECRET: SECRET, ...settings }
  for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value)
  return await import('@/proxy')
}

const asked = (path: string, init: { readonly method?: string; headers?: HeadersInit } = {}) =>
  new NextRequest(`http://web-1:3000${path}`, init)

afterEach(() => vi.unstubAllEnvs())

test('an encrypted address asks browsers to come back encrypted', async () => {
  const { proxy } = await proxyOf({ APP_URL: 'https://darkroom.example' })
  const { headers } = proxy(asked('/studio'))
  expect(headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains')
  expect(headers.get('content-security-policy')).toContain('upgrade-insecure-requests')
  expect(headers.get('set-cookie')).toContain('Secure')
})

test('a plain address does not: it could not be reached any more', async () => {
  const { proxy } = await proxyOf({ APP_URL: 'http://localhost:3000' })
  const { headers } = proxy(asked('/studio'))
  expect(headers.has('strict-transport-security')).toBe(false)
  expect(headers.get('content-security-policy')).not.toContain('upgrade-insecure-requests')
})

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
  'a %s that comes from no page of ours reaches no page, and changes no cookie',
  async (method) => {
    const { proxy } = await proxyOf({ APP_URL: 'https://darkroom.example' })
    for (const origin of [undefined, 'null', 'https://evil.example']) {
      const headers = origin === undefined ? {} : { origin }
      const answer = proxy(asked('/studio', { method, headers }))
      expect(answer.status).toBe(403)
      expect(answer.headers.has('set-cookie')).toBe(false)
      expect(await answer.json()).toMatchObject({ code: 'other_origin' })
    }
    const own = { origin: 'https://darkroom.example' }
    expect(proxy(asked('/studio', { method, headers: own })).status).toBe(200)
  },
)

test('only while developing does a page evaluate text', async () => {
  for (const [mode, evaluates] of [
    ['development', true],
    ['production', false],
    ['test', false],
  ] as const) {
    const { proxy } = await proxyOf({ NODE_ENV: mode })
    const policy = proxy(asked('/')).headers.get('content-security-policy') ?? ''
    expect(policy.includes('unsafe-eval')).toBe(evaluates)
    expect(/script-src [^;]*unsafe-inline/.test(policy)).toBe(false)
  }
})
