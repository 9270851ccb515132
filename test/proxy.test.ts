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

test('what a page of an encrypted address loads is encrypted', async () => {
  const { proxy } = await proxyOf({ APP_URL: 'https://darkroom.example' })
  const { headers } = proxy(asked('/studio'))
  expect(headers.get('content-security-policy')).toContain('upgrade-insecure-requests')
  expect(headers.get('set-cookie')).toContain('Secure')
})

test('what a plain address loads is not: it could not be reached', async () => {
  const { proxy } = await proxyOf({ APP_URL: 'http://localhost:3000' })
  const { headers } = proxy(asked('/studio'))
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
    const own = { origin: 'https://darkroom.example', 'next-action': 'a' }
    expect(proxy(asked('/studio', { method, headers: own })).status).toBe(200)
  },
)

test('a form that was sent before its script ran shows its page again, and does nothing', async () => {
  const { proxy } = await proxyOf({ APP_URL: 'http://web-1:3000' })
  const answer = proxy(
    asked('/sign-in?from=%2Fimages', { method: 'POST', headers: { origin: 'http://web-1:3000' } }),
  )
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe('http://web-1:3000/sign-in?from=%2Fimages')
})

test('whom a forwarded header names does not keep our own pages from what they do', async () => {
  const { proxy } = await proxyOf({ APP_URL: 'https://darkroom.example' })
  const headers = {
    origin: 'https://darkroom.example',
    'next-action': 'a',
    'x-forwarded-host': 'evil.example',
  }
  const answer = proxy(asked('/studio', { method: 'POST', headers }))
  expect(answer.headers.get('x-middleware-request-x-forwarded-host')).toBe('darkroom.example')
})

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
