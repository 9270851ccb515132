import type { Browser, Locator, Page } from '@playwright/test'
import { attemptIdOf, expect, expectStatus, generate, onlyAttempt, signIn } from './fixtures'
import type { Installation } from './installation'

/** What admins give as their reason in these tests. */
export const REASON = 'seen in the dashboard of the provider'

/** A browser of its own in which the demo's admin is signed in. */
export async function openAdmin(browser: Browser, darkroom: Installation): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: darkroom.url })).newPage()
  if (!darkroom.credentials) throw new Error('there is no demo admin')
  await signIn(page, darkroom.credentials.admin)
  return page
}

/** An attempt that goes wrong as told, and its id. */
export async function startDrilled(page: Page, drill: string, status: string): Promise<string> {
  await generate(page, `Where is my image? #drill:${drill}`)
  await expectStatus(onlyAttempt(page), status)
  return attemptIdOf(onlyAttempt(page))
}

/** The next submission meets this fault, for as long as told. */
export async function arm(
  { simulatorUrl }: Pick<Installation, 'simulatorUrl'>,
  fault: string,
  ms: number,
): Promise<void> {
  const answer = await fetch(`${simulatorUrl ?? ''}/_/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ fault, ms }),
  })
  if (answer.status !== 201) throw new Error(`the simulator does not know ${fault}`)
}

/** The ids of all tasks that the simulator made for an attempt. */
export async function tasksOf({ simulatorUrl }: Installation, id: string): Promise<string[]> {
  const answer = await fetch(`${simulatorUrl ?? ''}/_/tasks`)
  const { data } = (await answer.json()) as { data: { id: string; reference: string }[] }
  return data.filter(({ reference }) => reference === id).map((task) => task.id)
}

/** What the ledger says of an attempt. */
export async function entriesOf({ sql }: Installation, id: string): Promise<string[]> {
  const { rows } = await sql.query<{ kind: string }>(
    'select kind from ledger_entry where attempt_id = $1 order by seq',
    [id],
  )
  return rows.map(({ kind }) => kind)
}

/** However it ended: these lines in the ledger, one submission, one task. */
export async function expectBooks(
  darkroom: Installation,
  id: string,
  entries: readonly string[],
): Promise<void> {
  expect(await entriesOf(darkroom, id)).toEqual(entries)
  expect(await darkroom.submissions(id)).toBe(1)
  expect(await tasksOf(darkroom, id)).toHaveLength(1)
}

/** Opens an act by its button and fills in what it asks for. Nothing is confirmed. */
export async function openAct(
  admin: Page,
  button: RegExp,
  fields: Readonly<Record<string, string>> = {},
): Promise<{ readonly dialog: Locator; readonly confirm: () => Promise<void> }> {
  await admin.getByRole('button', { name: button }).first().click()
  const dialog = admin.getByRole('dialog')
  for (const [label, text] of Object.entries(fields)) await dialog.getByLabel(label).fill(text)
  await dialog.getByLabel('Reason').fill(REASON)
  return { dialog, confirm: () => dialog.getByRole('button', { name: button }).click() }
}

/** Opens an act, fills in what it asks for, confirms, and sees it done. */
export async function act(
  admin: Page,
  button: RegExp,
  fields: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { dialog, confirm } = await openAct(admin, button, fields)
  await confirm()
  await expect(dialog).toBeHidden()
}
