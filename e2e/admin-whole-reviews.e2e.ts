import type { Browser, Page } from '@playwright/test'
import type { Installation } from './installation'
import {
  attemptIdOf,
  expect,
  expectStatus,
  generate,
  onlyAttempt,
  signIn,
  signUp,
  test,
} from './fixtures'

// Whole reviews, from the click that went wrong to its end, with the ledger and the simulator's own book
// looked at in the end.

const REASON = 'seen in the dashboard of the provider'

async function openAdmin(browser: Browser, darkroom: Installation): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: darkroom.url })).newPage()
  if (!darkroom.credentials) throw new Error('there is no demo admin')
  await signIn(page, darkroom.credentials.admin)
  return page
}

async function start(page: Page, drill: string, status: string): Promise<string> {
  await generate(page, `Where is my image? #drill:${drill}`)
  await expectStatus(onlyAttempt(page), status)
  return attemptIdOf(onlyAttempt(page))
}

async function taskOf(darkroom: Installation, reference: string): Promise<string> {
  const answer = await fetch(`${darkroom.simulatorUrl}/_/tasks`)
  const { data } = (await answer.json()) as { data: { id: string; reference: string }[] }
  const task = data.find((one) => one.reference === reference)
  if (!task) throw new Error('the simulator has no such task')
  return task.id
}

const entriesOf = async ({ sql }: Installation, id: string) => {
  const { rows } = await sql.query<{ kind: string }>(
    'select kind from ledger_entry where attempt_id = $1 order by seq',
    [id],
  )
  return rows.map(({ kind }) => kind)
}

/** Opens an act by its button, fills what it asks for, and confirms. */
async function act(
  admin: Page,
  button: RegExp,
  fields: Readonly<Record<string, string>> = {},
): Promise<void> {
  await admin.getByRole('button', { name: button }).first().click()
  const dialog = admin.getByRole('dialog')
  for (const [label, text] of Object.entries(fields)) await dialog.getByLabel(label).fill(text)
  await dialog.getByLabel('Reason').fill(REASON)
  await dialog.getByRole('button', { name: button }).click()
  await expect(dialog).toBeHidden()
}

test('a lost submission is solved by attaching its task, which is verified first', async ({
  studio,
  browser,
  darkroom,
}) => {
  const id = await start(studio, 'lost-answer', 'unresolved')
  const admin = await openAdmin(browser, darkroom)
  await admin.goto(`/admin/attempts/${id}`)
  await act(admin, /^Attach the task/, { 'Task id at the provider': 'invented' })
  await expect(admin.locator('[data-verification="missing"]')).toBeVisible({ timeout: 40_000 })
  await expect(admin.locator('article')).toHaveAttribute('data-status', 'unresolved')
  const taskId = await taskOf(darkroom, id)
  await act(admin, /^Attach the task/, { 'Task id at the provider': taskId })
  await expect(admin.locator('[data-verification="applied"]')).toBeVisible({ timeout: 40_000 })
  await expectStatus(onlyAttempt(studio), 'delivered')
  expect(await entriesOf(darkroom, id)).toEqual(['reserved', 'settled'])
  expect(await darkroom.submissions(id)).toBe(1)
  await admin.context().close()
})

test('an image that an admin has is delivered from the file', async ({
  studio,
  browser,
  darkroom,
}) => {
  const id = await start(studio, 'lost-answer', 'unresolved')
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
  expect(await entriesOf(darkroom, id)).toEqual(['reserved', 'settled'])
  for (const page of [admin, other]) await page.context().close()
})
