import type { BrowserContext } from '@playwright/test'
import { expect, promptBox, signIn, signUp, test } from './fixtures'

const SESSION = 'next-auth.session-token'

const sessionOf = async (context: BrowserContext) =>
  (await context.cookies()).find(({ name }) => name === SESSION)

test('a sign-in makes a session of its own, whatever cookie was planted before', async ({
  browser,
  darkroom,
}) => {
  const attackers = await browser.newContext({ baseURL: darkroom.url })
  await signUp(await attackers.newPage())
  const planted = await sessionOf(attackers)
  if (!planted) throw new Error('nobody is signed in')

  const victims = await browser.newContext({ baseURL: darkroom.url })
  const page = await victims.newPage()
  const victim = await signUp(page)
  await victims.clearCookies()
  // One that was ours once and is not any more, as of a session that ended.
  await victims.addCookies([{ ...planted, value: `${planted.value.slice(0, -4)}AAAA` }])
  await signIn(page, victim)
  const value = (await sessionOf(victims))?.value
  expect(value).not.toContain(planted.value.slice(0, -4))

  // What the attacker kept opens the attacker's account, not the victim's.
  const theirs = await attackers.newPage()
  await theirs.goto('/account')
  await expect(theirs.getByText(victim.email)).toHaveCount(0)
  await attackers.close()
  await victims.close()
})

test('every sign-in has another session, and a new password ends the others at once', async ({
  page,
  person,
  browser,
  darkroom,
}) => {
  const first = await sessionOf(page.context())
  const elsewhere = await browser.newContext({ baseURL: darkroom.url })
  const other = await elsewhere.newPage()
  await signIn(other, person)
  expect((await sessionOf(elsewhere))?.value).not.toBe(first?.value)
  const { rows } = await darkroom.sql.query<{ count: string }>(
    `select count(distinct session.id) from session join user_identity using (account_id)
     where email = $1`,
    [person.email],
  )
  expect(rows).toEqual([{ count: '2' }])

  await page.goto('/account')
  const password = `${person.password} and more`
  await page.getByLabel('Current password').fill(person.password)
  await page.getByLabel('New password').fill(password)
  await page
    .getByRole('button', { name: /password/i, exact: false })
    .last()
    .click()
  await expect(page.locator('[data-sonner-toast]')).toBeVisible()
  await other.goto('/credits')
  await expect(other).toHaveURL(/\/sign-in/)
  await signIn(other, { ...person, password })
  await expect(promptBox(other)).toBeVisible()
  await elsewhere.close()
})

test('nothing in a cookie tells who somebody is, and no script can read it', async ({
  studio: page,
}) => {
  const cookies = await page.context().cookies()
  for (const { name, httpOnly, sameSite } of cookies) {
    expect({ name, httpOnly, sameSite }).toEqual({ name, httpOnly: true, sameSite: 'Lax' })
  }
  expect(await page.evaluate(() => document.cookie)).toBe('')
})

const ELSEWHERE = [
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example',
  '/%09/evil.example',
  'https:evil.example',
  'javascript:alert(1)',
  '/..//evil.example',
  '\thttps://evil.example',
]

test('no parameter leads anybody away from here', async ({ page, person, darkroom }) => {
  const { origin } = new URL(darkroom.url)
  await page.context().clearCookies({ name: SESSION })
  for (const target of ELSEWHERE) {
    const query = encodeURIComponent(target)
    for (const path of [
      `/api/auth/signin?callbackUrl=${query}`,
      `/api/auth/signout?callbackUrl=${query}`,
      `/api/auth/error?callbackUrl=${query}`,
      `/api/auth/callback/credentials?callbackUrl=${query}`,
    ]) {
      const answer = await fetch(`${origin}${path}`, { redirect: 'manual' })
      const location = answer.headers.get('location')
      if (location !== null) expect(new URL(location, origin).origin, path).toBe(origin)
      expect(answer.status, path).toBeLessThan(500)
    }
  }
  await page.goto(`/sign-in?from=${encodeURIComponent('//evil.example/')}`)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${origin}/studio`)
})
