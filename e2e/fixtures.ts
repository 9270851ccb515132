import { randomUUID } from 'node:crypto'
import { test as base, expect, type Locator, type Page } from '@playwright/test'
import { startInstallation, type Installation } from './installation'

export { expect }
export type Person = { readonly email: string; readonly password: string }

type TestFixtures = {
  readonly baseURL: string
  /** Somebody new, signed up, on the studio page, with the credits of a new account. */
  readonly person: Person
  /** The page of such a person, where the test needs no more of them. */
  readonly studio: Page
}
type WorkerFixtures = {
  /** What this file's installation is set to besides the usual. */
  readonly settings: Readonly<Record<string, string>>
  readonly darkroom: Installation
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  settings: [{}, { scope: 'worker', option: true }],
  darkroom: [
    async ({ settings }, use) => {
      const { installation, end } = await startInstallation(settings)
      await use(installation)
      await end()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: async ({ darkroom }, use) => use(darkroom.url),
  person: async ({ page }, use) => use(await signUp(page)),
  studio: async ({ page }, use) => {
    await signUp(page)
    await use(page)
  },
})

export async function signUp(page: Page): Promise<Person> {
  const person = { email: `${randomUUID()}@example.com`, password: randomUUID() }
  await page.goto('/sign-up')
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL('**/studio')
  return person
}

export async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/studio')
}

export const generateButton = (page: Page): Locator =>
  page.getByRole('button', { name: /^(Generate|Sending|Queued)/ })

export const promptBox = (page: Page): Locator => page.getByRole('textbox', { name: 'Prompt' })

/** Types the prompt and clicks Generate once. */
export async function generate(page: Page, prompt: string): Promise<void> {
  await promptBox(page).fill(prompt)
  await page.getByRole('button', { name: /^Generate/ }).click()
}

/** The card of the only attempt on the page. */
export const onlyAttempt = (page: Page): Locator => page.locator('article[data-attempt-id]')

export async function attemptIdOf(card: Locator): Promise<string> {
  const id = await card.getAttribute('data-attempt-id')
  if (id === null) throw new Error('the card has no attempt')
  return id
}

export async function expectStatus(card: Locator, status: string): Promise<void> {
  await expect(card).toHaveAttribute('data-status', status, { timeout: 40_000 })
}

export async function expectCredits(
  page: Page,
  credits: { readonly available: number; readonly held: number },
): Promise<void> {
  await expect(page.locator('[data-credits="available"]')).toHaveText(String(credits.available))
  await expect(page.locator('[data-credits="held"]')).toHaveText(String(credits.held))
}

/** No call of a server action leaves the browser, until the route is undone. */
export async function blockActions(page: Page): Promise<void> {
  await page.route('**/studio', async (route) => {
    const isAction = route.request().headers()['next-action'] !== undefined
    await (isAction ? route.abort('connectionrefused') : route.fallback())
  })
}

/** The next answer of the server action is lost after it was made. */
export async function loseNextActionAnswer(page: Page): Promise<void> {
  let lost = false
  await page.route('**/studio', async (route) => {
    const isAction = route.request().headers()['next-action'] !== undefined
    if (!isAction || lost) {
      await route.fallback()
      return
    }
    lost = true
    await route.fetch()
    await route.abort('connectionreset')
  })
}
