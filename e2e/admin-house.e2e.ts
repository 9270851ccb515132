import {
  expect,
  expectCredits,
  expectStatus,
  onlyAttempt,
  promptBox,
  signIn,
  signUp,
  test,
} from './fixtures'
import { act, expectBooks, openAct, openAdmin, REASON, startDrilled } from './admin'
import type { Installation } from './installation'
import { makeRole } from './stage'

// What concerns accounts and the house, not one attempt.

test.use({ settings: { APPROVAL_ABOVE: '50', ALERT_UNRESOLVED_AFTER: '1s' } })

const accountIdOf = async ({ sql }: Installation, email: string): Promise<string> => {
  const { rows } = await sql.query<{ account_id: string }>(
    'select account_id from user_identity where email = $1',
    [email],
  )
  return rows[0]?.account_id ?? ''
}

test('credits above the threshold move once, when a second admin agrees', async ({
  page,
  person,
  browser,
  darkroom,
}) => {
  const first = await openAdmin(browser, darkroom)
  const second = await (await browser.newContext({ baseURL: darkroom.url })).newPage()
  const colleague = await signUp(second)
  await makeRole(darkroom, colleague, 'admin')
  const account = `/admin/accounts/${await accountIdOf(darkroom, person.email)}`

  await first.goto(account)
  await act(first, /^Grant /, { Credits: '50' })
  await page.reload()
  await expectCredits(page, { available: 150, held: 0 })
  await act(first, /^Grant /, { Credits: '51' })
  const request = first.locator('[data-request="open"]')
  await expect(request).toContainText('51 credits')
  await expect(request).toContainText('You asked for it yourself: another admin has to agree.')
  await expect(request.getByRole('button', { name: /^Approve/ })).toBeDisabled()
  expect(await darkroom.ledger(person.email)).toHaveLength(2)

  await second.goto('/admin')
  await second.getByRole('link', { name: person.email }).click()
  await expect(second).toHaveURL(new RegExp(account))
  const { dialog, confirm } = await openAct(second, /^Approve 51 credits/)
  await confirm()
  await expect(dialog).toBeHidden()
  await expect(second.locator('[data-request="approved"]')).toContainText(colleague.email)
  await page.reload()
  await expectCredits(page, { available: 201, held: 0 })
  expect(await darkroom.ledger(person.email)).toEqual([
    { kind: 'granted', amount: 100 },
    { kind: 'granted', amount: 50 },
    { kind: 'granted', amount: 51 },
  ])
  for (const admin of [first, second]) await admin.context().close()
})

test('a suspended account is out at once and back when it is restored, with its credits', async ({
  page,
  person,
  browser,
  darkroom,
}) => {
  const admin = await openAdmin(browser, darkroom)
  await admin.goto(`/admin/accounts?email=${encodeURIComponent(person.email)}`)
  await admin.getByRole('link', { name: person.email }).click()
  await expect(admin.getByRole('heading', { level: 1 })).toHaveText(person.email)
  await act(admin, /^End all its sessions/)
  await expect(admin.getByText('Nobody is signed in as this account.')).toBeVisible()
  expect((await page.request.get('/api/attempts')).status()).toBe(401)

  await signIn(page, person)
  await act(admin, /^Suspend the account/)
  expect((await page.request.get('/api/attempts')).status()).toBe(401)
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText(/not right/)).toBeVisible()

  // A session that was not ended stands again.
  await act(admin, /^Restore the account/)
  await page.goto('/studio')
  await expect(promptBox(page)).toBeVisible()
  await expectCredits(page, { available: 100, held: 0 })
  await admin.goto('/admin/accounts')
  await admin.getByRole('link', { name: /admin@/ }).click()
  await expect(admin.getByText('You cannot suspend yourself.')).toBeVisible()
  await admin.context().close()
})

test('an alert stands on every page of admins until its cause is gone', async ({
  studio,
  browser,
  darkroom,
}) => {
  const id = await startDrilled(studio, 'lost-answer', 'unresolved')
  const admin = await openAdmin(browser, darkroom)
  const banner = admin.locator('[data-alert="unresolved-age"]')
  await expect(async () => {
    await admin.goto('/admin/accounts')
    await expect(banner).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 60_000 })
  await banner.getByRole('link').click()
  await expect(admin).toHaveURL(/\/admin\/attempts/)
  await expect(banner).toBeVisible()
  await admin.locator(`[data-attempt-id="${id}"]`).getByRole('link').click()
  await act(admin, /^Release 4 credits/, { 'What proves that it failed': 'ticket 4713' })
  await expectStatus(onlyAttempt(studio), 'failed')
  await expect(async () => {
    await admin.goto('/admin/alerts')
    await expect(banner).toBeHidden({ timeout: 1_000 })
  }).toPass({ timeout: 60_000 })
  await expect(admin.getByRole('main')).toContainText(/cleared/)
  await expectBooks(darkroom, id, ['reserved', 'released'])
  await admin.goto(`/admin/log?subject=attempt:${id}`)
  await expect(admin.getByText(REASON)).toHaveCount(1)
  await admin.context().close()
})

test('the log is filtered in its address, by act, role, person and day', async ({
  person,
  browser,
  darkroom,
}) => {
  const admin = await openAdmin(browser, darkroom)
  const subject = `account:${await accountIdOf(darkroom, person.email)}`
  await admin.goto(`/admin/accounts/${subject.slice('account:'.length)}`)
  await act(admin, /^Grant /, { Credits: '1' })
  await act(admin, /^End all its sessions/)
  await admin.goto('/admin/log')
  await admin.getByLabel('Act').selectOption('Grant credits')
  await admin.getByLabel('Role').selectOption('admin')
  await admin.getByLabel('By').fill(darkroom.credentials?.admin.email ?? '')
  await admin.getByLabel('About').fill(subject)
  await admin.getByRole('button', { name: 'Show' }).click()
  await expect(admin).toHaveURL(/act=grant-credits&role=admin&.*actor=admin.*&subject=account/)
  await expect(admin.getByText(REASON)).toHaveCount(1)
  const address = admin.url()
  for (const [change, lines] of [
    [address.replace('from=', 'from=2000-01-01'), 1],
    [address.replace('to=', 'to=2000-01-01'), 0],
    [address.replace('act=grant-credits', 'act=suspend'), 0],
    [address.replace('act=grant-credits', ''), 2],
    [address.replace('role=admin', 'role=support'), 0],
  ] as const) {
    await admin.goto(change)
    await expect(admin.getByRole('heading', { level: 1 })).toHaveText('Log')
    await expect(admin.getByText(REASON)).toHaveCount(lines)
  }
  await admin.context().close()
})
