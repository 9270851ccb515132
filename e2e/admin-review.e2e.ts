import type { Browser, Page } from '@playwright/test'
import { AxeBuilder } from '@axe-core/playwright'
import type { Installation } from './installation'
import { attemptIdOf, expect, expectStatus, generate, onlyAttempt, signIn, test } from './fixtures'

const REASON = 'the provider has no record of it'

async function openAdmin(browser: Browser, darkroom: Installation): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: darkroom.url })).newPage()
  if (!darkroom.credentials) throw new Error('there is no demo admin')
  await signIn(page, darkroom.credentials.admin)
  return page
}

async function startUnresolved(page: Page): Promise<string> {
  await generate(page, 'Where is my image? #drill:lost-answer')
  await expectStatus(onlyAttempt(page), 'unresolved')
  return attemptIdOf(onlyAttempt(page))
}

const entriesOf = async (darkroom: Installation, id: string) => {
  const { rows } = await darkroom.sql.query(
    'select kind from ledger_entry where attempt_id = $1 order by seq',
    [id],
  )
  return rows.map((row: Readonly<Record<string, unknown>>) => row['kind'])
}

test('a compensation whose answer got lost is pressed again and done once', async ({
  studio,
  browser,
  darkroom,
}) => {
  const id = await startUnresolved(studio)
  const admin = await openAdmin(browser, darkroom)
  await admin.goto(`/admin/attempts/${id}`)
  await expect(admin.getByRole('main')).not.toContainText('Where is my image?')
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
  await admin.getByRole('button', { name: /^Compensate / }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByLabel('Reason').fill(REASON)
  await dialog.getByRole('button', { name: /^Compensate / }).click()
  await expect(dialog.getByText(/The answer got lost/)).toBeVisible()
  await dialog.getByRole('button', { name: /^Compensate / }).click()
  await expect(dialog).toBeHidden()
  await expect(admin.getByText('Its reservation has ended already: compensated.')).toBeVisible()
  expect(await entriesOf(darkroom, id)).toEqual(['reserved', 'compensated'])

  await admin.goto(`/admin/log?subject=attempt:${id}`)
  await expect(admin.getByText(REASON)).toHaveCount(1)
  await studio.goto(`/images/${id}`)
  await expect(studio.getByText(/gave back what it costs, by decision/)).toBeVisible()
  await expect(studio.getByText(REASON)).toHaveCount(0)
  await admin.context().close()
})

test('an admin who was slower is told, and nothing is done', async ({
  studio,
  browser,
  darkroom,
}) => {
  const id = await startUnresolved(studio)
  const [one, two] = [await openAdmin(browser, darkroom), await openAdmin(browser, darkroom)]
  for (const admin of [one, two]) {
    await admin.goto(`/admin/attempts/${id}`)
    await admin.getByRole('button', { name: /^Release / }).click()
    await admin.getByRole('dialog').getByLabel('What proves that it failed').fill('ticket 4711')
    await admin.getByRole('dialog').getByLabel('Reason').fill(REASON)
  }
  const press = (admin: Page) =>
    admin
      .getByRole('dialog')
      .getByRole('button', { name: /^Release / })
      .click()
  await press(one)
  await expect(one.getByRole('dialog')).toBeHidden()
  await press(two)
  await expect(two.getByText(/It changed meanwhile, and nothing was done/)).toBeVisible()
  expect(await entriesOf(darkroom, id)).toEqual(['reserved', 'released'])
  for (const admin of [one, two]) await admin.context().close()
})

test('the pages of admins are fit for everybody', async ({ studio, browser, darkroom }) => {
  const id = await startUnresolved(studio)
  const admin = await openAdmin(browser, darkroom)
  await admin.setViewportSize({ width: 360, height: 800 })
  for (const path of [
    '/admin',
    '/admin/attempts',
    `/admin/attempts/${id}`,
    '/admin/accounts',
    '/admin/log',
  ]) {
    await admin.goto(path)
    const overflow = () =>
      admin.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    await expect.poll(overflow).toBeLessThanOrEqual(0)
    expect((await new AxeBuilder({ page: admin }).analyze()).violations).toEqual([])
  }
  await admin.context().close()
})
