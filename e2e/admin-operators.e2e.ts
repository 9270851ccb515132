import type { Route } from '@playwright/test'
import { expect, expectStatus, onlyAttempt, signUp, test } from './fixtures'
import { act, entriesOf, expectBooks, openAct, openAdmin, REASON, startDrilled } from './admin'
import { makeRole } from './stage'

// What operators of other houses report of reviews that went wrong under their hands.

test('who only reads sees everything and can do nothing, and loses it with their role', async ({
  studio,
  browser,
  darkroom,
}) => {
  const id = await startDrilled(studio, 'lost-answer', 'unresolved')
  const reader = await (await browser.newContext({ baseURL: darkroom.url })).newPage()
  const auditor = await signUp(reader)
  await makeRole(darkroom, auditor, 'auditor')
  await reader.goto(`/admin/attempts/${id}`)
  await expect(reader.getByRole('main')).toContainText('SUBMISSION_UNKNOWN')
  const acts = reader.getByRole('region', { name: 'What can be done' })
  await expect(acts.getByText('Not with the role auditor.')).toHaveCount(1)
  await expect(acts.getByRole('button')).toHaveCount(7)
  for (const button of await acts.getByRole('button').all()) await expect(button).toBeDisabled()

  // The page asks again by itself: then what it showed is gone.
  await makeRole(darkroom, auditor, 'user')
  await expect(reader.getByText('SUBMISSION_UNKNOWN')).toHaveCount(0, { timeout: 40_000 })
  await expect(reader.locator('article')).toHaveCount(0)
  expect(await entriesOf(darkroom, id)).toEqual(['reserved'])
  await reader.context().close()
})

test('nothing is decided without its evidence, and the button names what will move', async ({
  page,
  person,
  browser,
  darkroom,
}) => {
  const id = await startDrilled(page, 'lost-answer', 'unresolved')
  const admin = await openAdmin(browser, darkroom)
  await admin.goto(`/admin/attempts/${id}`)
  const failing = await openAct(admin, /^Release 4 credits/)
  await failing.confirm()
  await expect(failing.dialog.getByRole('alert')).toContainText('Say what proves it')
  await failing.dialog.getByLabel('What proves that it failed').fill('ticket 4714')
  await failing.dialog.getByLabel('Reason').fill('short')
  await failing.confirm()
  await expect(failing.dialog.getByRole('alert')).toContainText('Give a reason of 8 to')
  expect(await entriesOf(darkroom, id)).toEqual(['reserved'])
  await failing.dialog.getByRole('button', { name: 'Do nothing' }).click()

  await admin.goto(`/admin/accounts?email=${encodeURIComponent(person.email)}`)
  await admin.getByRole('link', { name: person.email }).click()
  const granting = await openAct(admin, /^Grant /, { Credits: '1' })
  await expect(granting.dialog.getByRole('button', { name: 'Grant 1 credit' })).toBeVisible()
  await granting.dialog.getByLabel('Credits').fill('12')
  await expect(granting.dialog.getByRole('button', { name: 'Grant 12 credits' })).toBeVisible()
  await granting.dialog.getByLabel('Credits').fill('1.5')
  await granting.confirm()
  await expect(granting.dialog.getByRole('alert')).toContainText('Give a whole number of credits')
  expect(await darkroom.ledger(person.email)).toHaveLength(2)
  await admin.context().close()
})

test('a grant whose answer got lost is done once, also after the page was loaded again', async ({
  person,
  browser,
  darkroom,
}) => {
  const admin = await openAdmin(browser, darkroom)
  await admin.goto(`/admin/accounts?email=${encodeURIComponent(person.email)}`)
  await admin.getByRole('link', { name: person.email }).click()
  let lost = false
  await admin.route('**/admin/**', async (route) => {
    if (lost || route.request().headers()['next-action'] === undefined) {
      await route.fallback()
      return
    }
    lost = true
    await route.fetch()
    await route.abort('connectionreset')
  })
  const first = await openAct(admin, /^Grant /, { Credits: '7' })
  await first.confirm()
  await expect(first.dialog.getByText(/The answer got lost/)).toBeVisible()
  await admin.reload()
  // What is known to have been asked is not quietly asked for otherwise.
  const other = await openAct(admin, /^Grant /, { Credits: '8' })
  await other.confirm()
  await expect(other.dialog.getByRole('alert')).toContainText('pressed before for something else')
  expect((await darkroom.ledger(person.email)).map(({ amount }) => amount)).toEqual([100, 7])
  await admin.context().close()
})

test('a grant whose answer got lost, asked for again as it was, is the same grant', async ({
  person,
  browser,
  darkroom,
}) => {
  const admin = await openAdmin(browser, darkroom)
  await admin.goto(`/admin/accounts?email=${encodeURIComponent(person.email)}`)
  await admin.getByRole('link', { name: person.email }).click()
  const block = async (route: Route) => {
    if (route.request().headers()['next-action'] === undefined) {
      await route.fallback()
      return
    }
    await route.fetch()
    await route.abort('connectionreset')
  }
  await admin.route('**/admin/**', block)
  const first = await openAct(admin, /^Grant /, { Credits: '7' })
  await first.confirm()
  await expect(first.dialog.getByText(/The answer got lost/)).toBeVisible()
  await admin.unroute('**/admin/**', block)
  await admin.reload()
  await act(admin, /^Grant /, { Credits: '7' })
  expect((await darkroom.ledger(person.email)).map(({ amount }) => amount)).toEqual([100, 7])
  // Its answer is known: the next press is another.
  await act(admin, /^Grant /, { Credits: '7' })
  expect((await darkroom.ledger(person.email)).map(({ amount }) => amount)).toEqual([100, 7, 7])
  await admin.context().close()
})

test('whoever was slower closes the old form, sees what is so, and decides anew', async ({
  studio,
  browser,
  darkroom,
}) => {
  const id = await startDrilled(studio, 'lost-answer', 'unresolved')
  const [one, two] = [await openAdmin(browser, darkroom), await openAdmin(browser, darkroom)]
  await two.goto(`/admin/attempts/${id}`)
  const slower = await openAct(two, /^Release 4 credits/, {
    'What proves that it failed': 'ticket 4715',
  })
  await one.goto(`/admin/attempts/${id}`)
  await act(one, /^Compensate 4 credits/)
  await slower.confirm()
  await expect(slower.dialog.getByText(/nothing was done/)).toBeVisible()
  await expect(slower.dialog.getByRole('button', { name: /^Release/ })).toHaveCount(0)
  await slower.dialog.getByRole('button', { name: 'Close and look again' }).click()
  await expect(two.getByText('Its reservation has ended already: compensated.')).toBeVisible()
  // Decided on what is so now: the failure is recorded, and nothing goes back a second time.
  await act(two, /^Record the failure; no credits move/, {
    'What proves that it failed': 'ticket 4715',
  })
  await expectStatus(onlyAttempt(studio), 'failed')
  await expectBooks(darkroom, id, ['reserved', 'compensated'])
  await two.goto(`/admin/log?subject=attempt:${id}`)
  await expect(two.getByText(REASON)).toHaveCount(3)
  for (const admin of [one, two]) await admin.context().close()
})

test('that no worker is at work is said, also where nothing is open', async ({
  browser,
  darkroom,
}) => {
  const admin = await openAdmin(browser, darkroom)
  await darkroom.killChild('worker', 'SIGKILL')
  try {
    await darkroom.sql.query(`update worker_heartbeat set beat_at = now() - interval '5 minutes'`)
    await admin.goto('/admin/attempts?code=no-such-code')
    await expect(admin.getByText('Nothing fits')).toBeVisible()
    await expect(admin.getByText('No worker is at work.')).toBeVisible()
    await admin.goto('/admin')
    await expect(admin.getByText('No worker is at work.')).toBeVisible()
    await expect(admin.getByText(/silent: heard of/).first()).toBeVisible()
  } finally {
    await darkroom.restartChild('worker')
  }
  await expect(async () => {
    await admin.goto('/admin/attempts')
    await expect(admin.getByText('No worker is at work.')).toBeHidden({ timeout: 1_000 })
  }).toPass({ timeout: 40_000 })
  await admin.context().close()
})
