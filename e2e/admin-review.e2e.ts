import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { expectBooks, openAct, openAdmin, REASON, startDrilled } from './admin'

test('a compensation whose answer got lost is pressed again and done once', async ({
  studio,
  browser,
  darkroom,
}) => {
  const id = await startDrilled(studio, 'lost-answer', 'unresolved')
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
  const { dialog, confirm } = await openAct(admin, /^Compensate /)
  await confirm()
  await expect(dialog.getByText(/The answer got lost/)).toBeVisible()
  await confirm()
  await expect(dialog).toBeHidden()
  await expect(admin.getByText('Its reservation has ended already: compensated.')).toBeVisible()
  await expectBooks(darkroom, id, ['reserved', 'compensated'])

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
  const id = await startDrilled(studio, 'lost-answer', 'unresolved')
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
  await expectBooks(darkroom, id, ['reserved', 'released'])
  for (const admin of [one, two]) await admin.context().close()
})

test('the pages of admins are fit for everybody', async ({ studio, browser, darkroom }) => {
  const id = await startDrilled(studio, 'lost-answer', 'unresolved')
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
