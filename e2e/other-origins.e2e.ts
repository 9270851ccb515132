import { dataRoutes, pages, withParams } from '@/test/app-routes'
import { serverActions } from './attack/server-actions'
import { takeStatePicture } from './attack/state-picture'
import { expect, signIn, test } from './fixtures'

/** What keeps another site from having a browser do it with the cookies that it sends along. */
type Guard = 'origin' | 'form token' | 'API key' | 'signature' | 'does nothing'

const guards: Readonly<Record<string, Guard>> = {
  'POST /api/admin/attempts/[id]/image': 'origin',
  'POST /api/auth/[...nextauth]': 'form token',
  'POST /api/callbacks/[provider]/[token]': 'signature',
  'POST /api/payments/stripe': 'signature',
  'POST /api/reference-images': 'origin',
}

const READING = ['GET', 'HEAD', 'OPTIONS']
const changing = dataRoutes().flatMap(({ address, methods }) =>
  methods
    .filter((method) => !READING.includes(method))
    .map((method) => ({ method, address, name: `${method} ${address}` })),
)

function guardOf({ name, address }: { readonly name: string; readonly address: string }) {
  if (address.startsWith('/api/v1/')) return 'API key'
  return address === '/api/[...path]' ? 'does nothing' : guards[name]
}

const ORIGINS = [undefined, 'null', 'https://evil.example', 'http://localhost:1'] as const
const originOf = (origin: string | undefined) => (origin === undefined ? {} : { origin })

test('it is known of every address what keeps other sites from using it', () => {
  const known = [...Object.keys(guards)].sort()
  const ours = changing.filter(
    ({ address }) => !address.startsWith('/api/v1/') && address !== '/api/[...path]',
  )
  expect(ours.map(({ name }) => name).sort()).toEqual(known)
  expect(changing.length).toBeGreaterThan(20)
})

test('no other site has an admin’s browser do anything', async ({ page, darkroom }) => {
  if (!darkroom.credentials) throw new Error('there is no demo admin')
  await signIn(page, darkroom.credentials.admin)
  const cookie = (await page.context().cookies())
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ')
  const before = await takeStatePicture(darkroom.sql)
  const ask = (method: string, path: string, headers: Readonly<Record<string, string>>) =>
    fetch(`${darkroom.url}${path}`, {
      method,
      redirect: 'manual',
      headers: { cookie, 'content-type': 'text/plain', ...headers },
      body: '[]',
    })

  await test.step('by a server action', async () => {
    const actions = serverActions()
    expect(actions.length).toBeGreaterThan(20)
    for (const { id, name, page: path } of actions) {
      for (const origin of ORIGINS) {
        const answer = await ask('POST', path, { 'next-action': id, ...originOf(origin) })
        expect(answer.status, `${name} from ${origin ?? 'nowhere'}`).toBe(403)
      }
    }
    // The form of a browser without scripts names the action in its body.
    const form = await ask('POST', '/account', {
      'content-type': 'multipart/form-data; boundary=b',
      origin: 'https://evil.example',
    })
    expect(form.status).toBe(403)
  })

  for (const route of changing) {
    const guard = guardOf(route)
    await test.step(`by ${route.name}, which asks for: ${guard ?? 'nothing'}`, async () => {
      for (const origin of ORIGINS) {
        const path = withParams(route.address)
        const { status } = await ask(route.method, path, originOf(origin))
        const isForeign = origin !== undefined
        const expected: Readonly<Record<Guard, readonly number[]>> = {
          origin: [403],
          // Without an origin next-auth does not know what is asked of it here.
          'form token': isForeign ? [403] : [400, 404],
          'API key': [401, 404, 405],
          signature: [401],
          'does nothing': [404],
        }
        expect(guard && expected[guard], `${origin ?? 'nowhere'}: ${status}`).toContain(status)
      }
    })
  }

  await test.step('by having it read', async () => {
    // A link on another site is followed with the cookies, whatever is asked of the origin.
    for (const { address } of [...dataRoutes(), ...pages()]) {
      const headers = { cookie, origin: 'https://evil.example' }
      const url = `${darkroom.url}${withParams(address)}`
      await (await fetch(url, { headers, redirect: 'manual' })).arrayBuffer()
    }
  })

  await test.step('by ending the session', async () => {
    for (const origin of ORIGINS) {
      await ask('POST', '/api/auth/signout', {
        'content-type': 'application/x-www-form-urlencoded',
        ...originOf(origin),
      })
    }
  })
  expect(await takeStatePicture(darkroom.sql)).toEqual(before)
  expect((await page.goto('/admin'))?.status()).toBe(200)
})

test('cookies open nothing that is for API keys', async ({ studio: page, darkroom }) => {
  const headers = { origin: new URL(darkroom.url).origin }
  for (const path of ['balance', 'ledger', 'attempts', 'models']) {
    expect((await page.request.get(`/api/v1/${path}`, { headers })).status()).toBe(401)
  }
  const submitted = await page.request.post('/api/v1/attempts', { headers, data: {} })
  expect(submitted.status()).toBe(401)
})
