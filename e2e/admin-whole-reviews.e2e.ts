import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  attemptIdOf,
  expect,
  expectCredits,
  expectStatus,
  generate,
  onlyAttempt,
  signUp,
  test,
} from './fixtures'
import { act, arm, expectBooks, openAct, openAdmin, REASON, startDrilled, tasksOf } from './admin'

// Whole reviews, from the click that went wrong to its end, with the ledger and the simulator's own book
// looked at in the end.

test('a lost submission is solved by attaching its task, which is verified first', async ({
  studio,
  browser,
  darkroom,
}) => {
  const id = await startDrilled(studio, 'lost-answer', 'unresolved')
  const admin = await openAdmin(browser, darkroom)
  await admin.goto(`/admin/attempts/${id}`)
  await act(admin, /^Attach the task/, { 'Task id at the provider': 'invented' })
  await expect(admin.locator('[data-verification="missing"]')).toBeVisible({ timeout: 40_000 })
  await expect(admin.locator('article')).toHaveAttribute('data-status', 'unresolved')
  const [taskId = ''] = await tasksOf(darkroom, id)
  await act(admin, /^Attach the task/, { 'Task id at the provider': taskId })
  await expect(admin.locator('[data-verification="applied"]')).toBeVisible({ timeout: 40_000 })
  await expectStatus(onlyAttempt(studio), 'delivered')
  await expectBooks(darkroom, id, ['reserved', 'settled'])
  await admin.context().close()
})

test('what was compensated and then succeeds is delivered and not debited', async ({
  studio,
  browser,
  darkroom,
}) => {
  // The answer is lost now, and the success comes only after the admin has decided.
  await arm(darkroom, 'late-success', 30_000)
  await generate(studio, 'Better late than never')
  await expectStatus(onlyAttempt(studio), 'unresolved')
  const id = await attemptIdOf(onlyAttempt(studio))
  await expectCredits(studio, { available: 96, held: 4 })
  const admin = await openAdmin(browser, darkroom)
  await admin.goto(`/admin/attempts/${id}`)
  const { dialog, confirm } = await openAct(admin, /^Compensate 4 credits/)
  await expect(dialog).toContainText('it is delivered and not charged')
  await confirm()
  await expect(dialog).toBeHidden()
  await expect(admin.locator('article')).toHaveAttribute('data-status', 'unresolved')
  await expect(onlyAttempt(studio)).toHaveAttribute('data-status', 'unresolved')
  await expectCredits(studio, { available: 100, held: 0 })

  await expectStatus(onlyAttempt(studio), 'delivered')
  await expect(admin.locator('article')).toHaveAttribute('data-status', 'delivered')
  await expectCredits(studio, { available: 100, held: 0 })
  expect((await studio.request.get(`/api/attempts/${id}/image`)).status()).toBe(200)
  await expectBooks(darkroom, id, ['reserved', 'compensated'])
  await admin.context().close()
})

test('a failure that was made sure of releases the credits, and says so', async ({
  studio,
  browser,
  darkroom,
}) => {
  const id = await startDrilled(studio, 'lost-answer', 'unresolved')
  const admin = await openAdmin(browser, darkroom)
  await admin.goto(`/admin/attempts/${id}`)
  const proof = { 'What proves that it failed': 'ticket 4711: nothing was rendered' }
  const { dialog, confirm } = await openAct(admin, /^Release 4 credits/, proof)
  await confirm()
  await expect(dialog).toBeHidden()
  await expect(admin.locator('article')).toHaveAttribute('data-status', 'failed')
  await expect(admin.getByRole('main')).toContainText('ticket 4711: nothing was rendered')
  await expectStatus(onlyAttempt(studio), 'failed')
  await expect(onlyAttempt(studio)).toContainText('You were not charged.')
  await expect(onlyAttempt(studio)).not.toContainText('4711')
  await expectCredits(studio, { available: 100, held: 0 })
  await expectBooks(darkroom, id, ['reserved', 'released'])
  await admin.context().close()
})

test('after an outage of the image store the same image is delivered by a retry', async ({
  studio,
  browser,
  darkroom,
}) => {
  const images = join(darkroom.dataDir, 'images')
  await generate(studio, 'A print with nowhere to hang #drill:slow')
  await expectStatus(onlyAttempt(studio), 'generating')
  const id = await attemptIdOf(onlyAttempt(studio))
  await rename(images, `${images}-away`)
  await writeFile(images, 'no folder')
  try {
    await expectStatus(onlyAttempt(studio), 'delivering')
    const admin = await openAdmin(browser, darkroom)
    await admin.goto(`/admin/attempts/${id}`)
    await expect(admin.getByRole('main')).toContainText('storage_failed', { timeout: 40_000 })
    // So long that it is the admin's press that ends it, not the worker's own next try.
    const postpone = async () => {
      const { rowCount } = await darkroom.sql.query(
        `update attempt_work set due_at = now() + interval '1 hour'
         where attempt_id = $1 and lease_until is null`,
        [id],
      )
      return rowCount
    }
    await expect.poll(postpone).toBe(1)
    await admin.reload()
    await rm(images)
    await rename(`${images}-away`, images)
    await act(admin, /^Retry now; 4 credits on hold/)
    await expectStatus(onlyAttempt(studio), 'delivered')
    await expectCredits(studio, { available: 96, held: 0 })
    await expectBooks(darkroom, id, ['reserved', 'settled'])
    await admin.context().close()
  } finally {
    // Where the test got that far it is back already.
    await rename(`${images}-away`, images).catch(() => undefined)
  }
})

test('an image that an admin has is delivered from the file', async ({
  studio,
  browser,
  darkroom,
}) => {
  const id = await startDrilled(studio, 'lost-answer', 'unresolved')
  const other = await (await browser.newContext({ baseURL: darkroom.url })).newPage()
  await signUp(other)
  await generate(other, 'One that came')
  await expectStatus(onlyAttempt(other), 'delivered')
  const made = await other.request.get(
    `/api/attempts/${await attemptIdOf(onlyAttempt(other))}/image`,
  )
  const admin = await openAdmin(browser, darkroom)
  await admin.goto(`/admin/attempts/${id}`)
  await admin.getByRole('button', { name: /^Deliver the file/ }).click()
  const dialog = admin.getByRole('dialog')
  const file = (buffer: Buffer) => ({ name: 'found.png', mimeType: 'image/png', buffer })
  const input = dialog.getByLabel('PNG, JPEG or WebP file')
  await dialog.getByLabel('Reason').fill(REASON)
  await input.setInputFiles(file(Buffer.from('no image')))
  await dialog.getByRole('button', { name: /^Deliver the file/ }).click()
  await expect(dialog.getByText(/Choose a whole PNG/)).toBeVisible()
  await input.setInputFiles(file(await made.body()))
  await dialog.getByRole('button', { name: /^Deliver the file/ }).click()
  await expect(dialog).toBeHidden()
  await expectStatus(onlyAttempt(studio), 'delivered')
  await expectBooks(darkroom, id, ['reserved', 'settled'])
  for (const page of [admin, other]) await page.context().close()
})
