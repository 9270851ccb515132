import { expect, expectCredits, expectStatus, generate, onlyAttempt, test } from './fixtures'
import { entriesOf, expectBooks, openAdmin, REASON, startDrilled } from './admin'

test('several are compensated together after a look at what happens to each', async ({
  page,
  person,
  browser,
  darkroom,
}) => {
  const first = await startDrilled(page, 'lost-answer', 'unresolved')
  await generate(page, 'And where is this one? #drill:lost-answer')
  await expect(onlyAttempt(page)).toHaveCount(2)
  await expect(page.locator('article[data-status="unresolved"]')).toHaveCount(2, {
    timeout: 40_000,
  })
  const ids = await onlyAttempt(page).evaluateAll((cards) =>
    cards.map((card) => card.getAttribute('data-attempt-id') ?? ''),
  )
  const second = ids.find((id) => id !== first) ?? ''
  await expectCredits(page, { available: 92, held: 8 })

  const [admin, faster] = [await openAdmin(browser, darkroom), await openAdmin(browser, darkroom)]
  await admin.goto(`/admin/attempts?account=${encodeURIComponent(person.email)}`)
  await admin.getByRole('button', { name: 'Choose all 2' }).click()
  await admin.getByRole('button', { name: 'Compensate …' }).click()
  const dialog = admin.getByRole('dialog')
  for (const id of ids) {
    await expect(dialog.locator(`[data-bulk="${id}"]`)).toContainText(
      '4 credits go back to the account by your decision',
    )
  }
  await dialog.getByLabel('Reason').fill(REASON)
  // A look changes nothing, and somebody else is faster with one of them.
  for (const id of ids) expect(await entriesOf(darkroom, id)).toEqual(['reserved'])
  await faster.goto(`/admin/attempts/${second}`)
  await faster.getByRole('button', { name: /^Release / }).click()
  await faster.getByLabel('What proves that it failed').fill('ticket 4712')
  await faster.getByLabel('Reason').fill(REASON)
  await faster
    .getByRole('dialog')
    .getByRole('button', { name: /^Release / })
    .click()
  await expect(faster.getByRole('dialog')).toBeHidden()

  await dialog.getByRole('button', { name: 'Compensate 2: 8 credits go back' }).click()
  await expect(dialog.locator(`[data-bulk="${first}"]`)).toContainText('Compensated.')
  await expect(dialog.locator(`[data-bulk="${second}"]`)).toContainText('nothing was done')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expectCredits(page, { available: 100, held: 0 })
  await expectStatus(page.locator(`article[data-attempt-id="${second}"]`), 'failed')
  await expectBooks(darkroom, first, ['reserved', 'compensated'])
  await expectBooks(darkroom, second, ['reserved', 'released'])

  // Each has a line of its own in the log, and can be looked at before: what cannot be done says why.
  for (const [id, lines] of [
    [first, 1],
    [second, 2],
  ] as const) {
    await admin.goto(`/admin/log?subject=attempt:${id}`)
    await expect(admin.getByText(REASON)).toHaveCount(lines)
  }
  await admin.goto(`/admin/attempts?account=${encodeURIComponent(person.email)}`)
  await admin.getByRole('button', { name: 'Choose all 1' }).click()
  await admin.getByRole('button', { name: 'Compensate …' }).click()
  await expect(dialog.locator(`[data-bulk="${first}"]`)).toContainText(
    'Its reservation has ended already: compensated.',
  )
  await expect(dialog.getByRole('button', { name: /^Compensate/ })).toHaveCount(0)
  for (const one of [admin, faster]) await one.context().close()
})
