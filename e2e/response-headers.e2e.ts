import { type Page } from '@playwright/test'
import { dataRoutes, pages, withParams } from '@/test/app-routes'
import { attemptIdOf, expect, expectStatus, generate, onlyAttempt, signIn, test } from './fixtures'
import { adminsPlaces, strangersPlaces, type Stage } from './stage'

const COMMON = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}
const NONCE = /'nonce-([^']+)'/

const policyOf = (answer: Response) => answer.headers.get('content-security-policy') ?? ''

async function expectCommon(answer: Response) {
  await answer.arrayBuffer()
  expect(Object.fromEntries(answer.headers)).toMatchObject(COMMON)
  expect(answer.headers.get('permissions-policy')).toContain('camera=()')
  expect(answer.headers.has('x-powered-by')).toBe(false)
  expect(policyOf(answer)).toContain("frame-ancestors 'none'")
}

for (const { address } of [...pages(), { address: '/no-such-page' }]) {
  test(`the page ${address} lets no script run but ours`, async ({ darkroom }) => {
    const ask = () =>
      fetch(`${darkroom.url}${withParams(address)}`, {
        redirect: 'manual',
        // Neither may be chosen from outside.
        headers: { 'x-nonce': 'chosen', 'content-security-policy': "script-src 'nonce-chosen'" },
      })
    const [one, another] = [await ask(), await ask()]
    const html = await another.clone().text()
    await expectCommon(one)
    await expectCommon(another)
    const scripts = /script-src ([^;]*)/.exec(policyOf(another))?.[1] ?? ''
    expect(scripts).toContain("'strict-dynamic'")
    expect(scripts).not.toMatch(/unsafe-(inline|eval)/)
    const nonce = NONCE.exec(scripts)?.[1]
    expect(nonce).toMatch(/^[\w+/]{22}==$/)
    expect(nonce).not.toBe(NONCE.exec(policyOf(one))?.[1])
    for (const [script] of html.matchAll(/<script\b[^>]*>/g)) {
      expect(script).toContain(`nonce="${nonce ?? ''}"`)
    }
  })
}

for (const { address, methods } of dataRoutes()) {
  test(`what ${address} answers is no document`, async ({ darkroom }) => {
    expect(methods).not.toEqual([])
    for (const method of methods) {
      const url = `${darkroom.url}${withParams(address)}`
      const answer = await fetch(url, { method, redirect: 'manual' })
      await expectCommon(answer)
      expect(policyOf(answer)).toBe(
        // The service worker asks for pages; nothing else that is data may ask for anything.
        address === '/away.js'
          ? "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"
          : "default-src 'none'; frame-ancestors 'none'; sandbox",
      )
    }
  })
}

test('scripts and styles are sent with the same headers, and are kept as before', async ({
  darkroom,
}) => {
  const html = await (await fetch(`${darkroom.url}/sign-in`)).text()
  const files = [...html.matchAll(/"(\/_next\/static\/[^"\\]+)"/g)].map(([, path]) => path ?? '')
  expect(files.length).toBeGreaterThan(2)
  for (const path of files.slice(0, 5)) {
    const answer = await fetch(`${darkroom.url}${path}`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toMatch(/^public, ?max-age=31536000, ?immutable$/)
    await expectCommon(answer)
  }
})

test('what is no address is refused with the same headers', async ({ darkroom }) => {
  const answer = await fetch(`${darkroom.url}/s/%ED%A0%80`)
  expect(answer.status).toBe(400)
  await expectCommon(answer)
})

test('nobody has a picture fetched, decoded or resized by this server', async ({ darkroom }) => {
  const answer = await fetch(`${darkroom.url}/_next/image?url=%2Ficon.svg&w=640&q=75`)
  expect(answer.status).toBe(404)
})

/** What the browser did not do because a policy forbids it, since the page was opened. */
function violationsOf(page: Page): readonly string[] {
  const found: string[] = []
  page.on('console', (message) => {
    const text = message.text()
    if (/Content[- ]Security[- ]Policy|Refused to|Permissions-Policy/i.test(text)) found.push(text)
  })
  return found
}

async function expectNoViolation(page: Page, paths: readonly string[]) {
  const found = violationsOf(page)
  for (const path of paths) {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    expect(found, path).toEqual([])
  }
}

test('no page that anybody may see runs into its own policy', async ({ page }) => {
  const paths = strangersPlaces.map(({ path }) => path)
  await expectNoViolation(page, [
    ...paths,
    ...['/studio', '/images', '/credits', '/forgot-password', '/sign-in/link/none', '/s/none'],
  ])
})

test('what got into a page as text does not run, and these tests would see it', async ({
  page,
}) => {
  const found = violationsOf(page)
  await page.goto('/sign-in')
  const ran = await page.evaluate(() => {
    const html = `<img src="x:" onerror="window.ran = true"><style>body { color: red }</style>
      <a id="bait" href="javascript:void (window.ran = true)">bait</a>`
    document.body.insertAdjacentHTML('beforeend', html)
    document.getElementById('bait')?.click()
    return new Promise((resolve) => setTimeout(() => resolve('ran' in window), 500))
  })
  expect(ran).toBe(false)
  expect(found.length).toBeGreaterThan(2)
})

test('a page that cannot be made says so within its policy', async ({ studio: page, darkroom }) => {
  await darkroom.sql.query('alter table ledger_entry rename to ledger_entry_away')
  try {
    const found = violationsOf(page)
    await page.goto('/credits')
    await expect(page.getByText('The fault is ours.')).toBeVisible()
    expect(found).toEqual([])
  } finally {
    await darkroom.sql.query('alter table ledger_entry_away rename to ledger_entry')
  }
})

test('no page of a user runs into its own policy, whatever is opened on it', async ({
  studio: page,
  browser,
  darkroom,
}) => {
  const found = violationsOf(page)
  await generate(page, 'A lighthouse in fog')
  await expectStatus(onlyAttempt(page), 'delivered')
  const id = await attemptIdOf(onlyAttempt(page))
  await expectNoViolation(page, ['/studio', '/images', '/credits', '/account', '/images/none'])
  await page.goto(`/images/${id}`)
  await page.getByRole('button', { name: 'Make a link' }).click()
  const address = await page.getByLabel('Link to the picture').inputValue()
  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect(page.locator('[data-sonner-toast]')).toBeVisible()
  await expect(page.locator('[data-sonner-toaster]')).toHaveCSS('position', 'fixed')
  // The page is refreshed with the nonce of another answer, and then changes its colours.
  await page.getByRole('button', { name: 'Switch between light and dark' }).click()
  expect(found).toEqual([])

  const context = await browser.newContext({ baseURL: darkroom.url })
  await expectNoViolation(await context.newPage(), [address])
  await context.close()
})

test('no page of an admin runs into its own policy', async ({ page, darkroom }) => {
  if (!darkroom.credentials) throw new Error('there is no demo admin')
  await signIn(page, darkroom.credentials.admin)
  await generate(page, 'Somebody looks at this one #drill:lost-answer')
  await expectStatus(onlyAttempt(page), 'unresolved')
  const stage = { unresolved: await attemptIdOf(onlyAttempt(page)) } as Stage
  await expectNoViolation(
    page,
    adminsPlaces(stage).map(({ path }) => path),
  )
})

test('a poll whose answer would be the same again is told so, and a change is told whole', async ({
  studio: page,
}) => {
  await generate(page, 'A fox')
  await expectStatus(onlyAttempt(page), 'delivered')
  const path = '/api/attempts'
  const first = await page.request.get(path)
  const { etag } = first.headers()
  expect(etag).toMatch(/^W\/"/)
  const ask = () => page.request.get(path, { headers: { 'if-none-match': etag ?? '' } })
  const again = await ask()
  expect(again.status()).toBe(304)
  expect(again.headers()).toMatchObject({ etag, 'cache-control': 'private, no-store' })
  expect((await again.body()).length).toBe(0)
  await generate(page, 'A second fox')
  await expect(async () => expect((await ask()).status()).toBe(200)).toPass()
})
