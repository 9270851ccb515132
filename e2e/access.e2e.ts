import {
  attemptIdOf,
  blockActions,
  expect,
  expectStatus,
  generate,
  onlyAttempt,
  promptBox,
  signIn,
  signUp,
  test,
} from './fixtures'

const adminPages = [
  '/admin',
  '/admin/attempts',
  '/admin/attempts/00000000-0000-7000-8000-000000000000',
  '/admin/accounts',
  '/admin/accounts/00000000-0000-7000-8000-000000000000',
  '/admin/log',
]

for (const path of adminPages) {
  test(`${path} does not exist for a user`, async ({ studio: page }) => {
    expect((await page.goto(path))?.status()).toBe(404)
  })
  test(`${path} does not exist for a stranger`, async ({ page }) => {
    expect((await page.goto(path))?.status()).toBe(404)
  })
}

test('an admin sees what is open, how old it is, what it holds, and its evidence', async ({
  page,
  person,
  browser,
  darkroom,
}) => {
  await generate(page, 'Somebody asks for this one #drill:lost-answer')
  await expectStatus(onlyAttempt(page), 'unresolved')
  const id = await attemptIdOf(onlyAttempt(page))

  const context = await browser.newContext({ baseURL: darkroom.url })
  const admin = await context.newPage()
  if (!darkroom.credentials) throw new Error('there is no demo admin')
  await signIn(admin, darkroom.credentials.admin)
  await admin.goto('/admin/attempts')
  const row = admin.locator(`[data-attempt-id="${id}"]`).first()
  await expect(row).toHaveAttribute('data-status', 'unresolved')
  await expect(row).toContainText(person.email)
  await admin.goto(`/admin/attempts/${id}`)
  await expect(admin.getByRole('main')).toContainText('SUBMISSION_UNKNOWN')
  await expect(admin.getByRole('main')).toContainText(person.email)
  await context.close()
})

test('a suspended account is refused at its next request', async ({ page, person, darkroom }) => {
  await expect(promptBox(page)).toBeVisible()
  await darkroom.sql.query(
    `update account set status = 'suspended'
     where id = (select account_id from user_identity where email = $1)`,
    [person.email],
  )
  expect((await page.request.get('/api/attempts')).status()).toBe(401)
  await page.goto('/credits')
  await expect(page).toHaveURL(/\/sign-in/)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText(/not right/)).toBeVisible()
})

test('signing out ends the session in the database too', async ({ page, person }) => {
  const cookies = await page.context().cookies()
  await page.getByRole('button', { name: /account/i }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL((url) => url.pathname === '/')
  // The very cookie, kept by whoever had copied it, opens nothing any more.
  await page.context().addCookies(cookies.filter(({ name }) => name !== 'darkroom.guest'))
  await page.goto('/credits')
  await expect(page).toHaveURL(/\/sign-in/)
  await signIn(page, person)
  await expect(promptBox(page)).toBeVisible()
})

test('another user of the same browser neither sees nor sends what was not acknowledged', async ({
  page,
  person,
  darkroom,
}) => {
  await blockActions(page)
  await generate(page, 'Mine alone')
  await expect(page.locator('[data-request-id]')).toHaveCount(1)
  await page.unroute('**/studio')
  await page.context().clearCookies()
  const other = await signUp(page)
  await expect(promptBox(page)).toHaveValue('')
  await expect(page.locator('[data-request-id]')).toHaveCount(0)
  await expect(page.getByText('Mine alone')).toHaveCount(0)
  expect(await darkroom.ledger(other.email)).toHaveLength(1)
  expect(await darkroom.ledger(person.email)).toHaveLength(1)
})
