import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible'
import {
  attemptIdOf,
  expect,
  expectStatus,
  generate,
  onlyAttempt,
  promptBox,
  signIn,
  signUp,
  test,
} from './fixtures'

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('somebody finds their account in the menu, and a new name stays', async ({ studio: page }) => {
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Account settings' }).click()
  await page.waitForURL('**/account')
  await expect(page.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(page.getByText('Saved')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ada Lovelace')
  await expectAccessible(page)
})

test('a session that is ended elsewhere is refused at once, in pages, routes and actions', async ({
  page,
  person,
  browser,
  darkroom,
}) => {
  const elsewhere = await browser.newContext({ baseURL: darkroom.url })
  const other = await elsewhere.newPage()
  await signIn(other, person)
  await page.goto('/account')
  const sessions = section(page, 'Sessions')
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  await expect(sessions.getByText('This one')).toHaveCount(1)
  await sessions.getByRole('button', { name: /^End the session in Chrome/ }).click()
  await expect(sessions.getByRole('listitem')).toHaveCount(1)

  expect((await other.request.get('/api/attempts')).status()).toBe(401)
  await promptBox(other).fill('Not mine any more')
  await other.getByRole('button', { name: /^Generate/ }).click()
  await expect(other.getByText(/signed out/i).first()).toBeVisible()
  await other.goto('/credits')
  await expect(other).toHaveURL(/\/sign-in/)
  expect(await darkroom.ledger(person.email)).toHaveLength(1)
  await elsewhere.close()
})

test('a new password needs the old one, ends the other sessions, and signs in from then on', async ({
  page,
  person,
  browser,
  darkroom,
}) => {
  const elsewhere = await browser.newContext({ baseURL: darkroom.url })
  const other = await elsewhere.newPage()
  await signIn(other, person)
  await page.goto('/account')
  const next = randomUUID()
  const change = async (current: string, password: string) => {
    await page.getByLabel('Current password').fill(current)
    await page.getByLabel('New password').fill(password)
    await page.getByRole('button', { name: 'Change password' }).click()
  }
  await change('not my password', next)
  await expect(page.getByText('This is not your password.')).toBeVisible()
  await change(person.password, 'short')
  await expect(page.getByText('Choose a password of 10 to 200 characters.')).toBeVisible()
  await expect(page.getByLabel('Current password')).toHaveValue(person.password)
  await change(person.password, next)
  await expect(page.getByText('Password changed. All other sessions have ended.')).toBeVisible()
  await other.goto('/credits')
  await expect(other).toHaveURL(/\/sign-in/)
  await signIn(other, { ...person, password: next })
  await elsewhere.close()
})

test('an API key is shown once, works, and is refused once it is revoked', async ({
  studio: page,
}) => {
  await page.goto('/account')
  const keys = section(page, 'API keys')
  await keys.getByRole('button', { name: 'Create key' }).click()
  await expect(keys.getByText('Give the key a name of 1 to 100 characters.')).toBeVisible()
  await keys.getByLabel('Name of a new key').fill('my script')
  await keys.getByRole('button', { name: 'Create key' }).click()
  const key = await keys.locator('code').innerText()
  const balance = () =>
    page.request.get('/api/v1/balance', { headers: { authorization: `Bearer ${key}` } })
  expect((await balance()).status()).toBe(200)
  await page.reload()
  await expect(keys.locator('code')).toHaveCount(0)
  await expect(keys.getByText(/^Last used/)).toBeVisible()
  await keys.getByRole('button', { name: 'Revoke the key my script' }).click()
  await expect(keys.getByText('Revoked')).toBeVisible()
  expect((await balance()).status()).toBe(401)
})

test('somebody takes all their data along', async ({ studio: page }) => {
  await generate(page, 'A picture to take along')
  await expectStatus(onlyAttempt(page), 'delivered')
  await page.goto('/account')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download my data' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^darkroom-my-data-.*\.zip$/)
  const answer = await page.request.get('/api/account/export')
  const zip = await answer.body()
  for (const inside of ['account.json', 'attempts.json', 'A picture to take along', 'PNG']) {
    expect(zip.includes(inside)).toBe(true)
  }
})

test('a deleted account is gone for everybody, and its address can sign up anew', async ({
  page,
  person,
  darkroom,
}) => {
  await generate(page, 'The last one')
  await expectStatus(onlyAttempt(page), 'delivered')
  const id = await attemptIdOf(onlyAttempt(page))
  const [owner] = (
    await darkroom.sql.query<{ account_id: string }>(
      'select account_id from user_identity where email = $1',
      [person.email],
    )
  ).rows
  await page.goto('/account')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(/96 credits that are left/)).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel(/to confirm$/).fill('somebody@example.com')
  await dialog.getByLabel('Your password').fill(person.password)
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await expect(dialog.getByText('This is not the address of your account.')).toBeVisible()
  await expect(dialog.getByLabel('Your password')).toHaveValue(person.password)
  await dialog.getByLabel(/to confirm$/).fill(person.email)
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await page.waitForURL((url) => url.pathname === '/')

  const left = await page.evaluate(() => JSON.stringify(Object.entries(localStorage)))
  expect(left).not.toContain(owner?.account_id)
  expect((await page.request.get(`/api/attempts/${id}/image`)).status()).not.toBe(200)
  const { rows } = await darkroom.sql.query<{ prompt: string; kinds: string }>(
    `select prompt, (select string_agg(kind, ' ' order by seq) from ledger_entry e
                     where e.account_id = a.account_id) as kinds
     from attempt a where id = $1`,
    [id],
  )
  expect(rows).toEqual([{ prompt: '(deleted)', kinds: 'granted reserved settled' }])
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText(/not right/)).toBeVisible()
  await page.goto('/sign-up')
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL('**/studio')
  await expect(onlyAttempt(page)).toHaveCount(0)
})

test('a session that ends while an image is made loses nothing and shows nothing to the next person', async ({
  page,
  person,
  darkroom,
}) => {
  await generate(page, 'Made behind a closed door #drill:slow')
  await expectStatus(onlyAttempt(page), 'generating')
  const id = await attemptIdOf(onlyAttempt(page))
  await promptBox(page).fill('A draft that is mine')
  await darkroom.sql.query(
    `update session set ended_at = now()
     where account_id = (select account_id from user_identity where email = $1)`,
    [person.email],
  )
  await page.goto('/images')
  await expect(page).toHaveURL(/\/sign-in/)

  const next = await signUp(page)
  await expect(promptBox(page)).toHaveValue('')
  await expect(onlyAttempt(page)).toHaveCount(0)
  for (const path of ['/images', '/credits', `/images/${id}`]) {
    await page.goto(path)
    await expect(page.getByText(/closed door|draft that is mine/)).toHaveCount(0)
  }
  expect((await page.request.get(`/api/attempts/${id}/image`)).status()).toBe(404)
  expect(await darkroom.ledger(next.email)).toHaveLength(1)

  await page.context().clearCookies()
  await signIn(page, person)
  const card = onlyAttempt(page)
  await expect(card).toHaveAttribute('data-attempt-id', id)
  await expectStatus(card, 'delivered')
  await expect(promptBox(page)).toHaveValue('A draft that is mine')
  expect(await darkroom.submissions(id)).toBe(1)
})
