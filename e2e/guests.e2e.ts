import { randomUUID } from 'node:crypto'
import {
  attemptIdOf,
  expect,
  expectCredits,
  expectStatus,
  generate,
  generateButton,
  onlyAttempt,
  promptBox,
  test,
} from './fixtures'

test.use({ settings: { DAILY_ALLOWANCE: '2', GUESTS: 'on', SIGNUP_CREDITS: '50' } })

test('a guest uses the free images of the day, and keeps everything on signing up', async ({
  page,
  darkroom,
}) => {
  await page.goto('/studio')
  await promptBox(page).fill('A harbour')
  await page.getByRole('button', { name: 'Generate: 1 of today’s 2 free' }).click()
  await expectStatus(onlyAttempt(page), 'delivered')
  const first = await attemptIdOf(onlyAttempt(page))
  await expect(onlyAttempt(page)).toContainText('Used 1 free image')
  await page.reload()
  await expect(onlyAttempt(page)).toHaveAttribute('data-attempt-id', first)

  await promptBox(page).fill('A harbour at night')
  await page.getByRole('button', { name: 'Generate: 1 of today’s 1 free' }).click()
  await expect(onlyAttempt(page)).toHaveCount(2)
  await expect(page.locator('article[data-status="delivered"]')).toHaveCount(2, { timeout: 40_000 })
  await promptBox(page).fill('A third harbour')
  await expect(generateButton(page)).toBeDisabled()
  await expect(page.getByText(/Create an account to go on/)).toBeVisible()

  const email = `${randomUUID()}@example.com`
  await page.goto('/sign-up')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(randomUUID())
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL('**/studio')
  await expect(onlyAttempt(page)).toHaveCount(2)
  await expectCredits(page, { available: 50, held: 0 })
  expect((await page.request.get(`/api/attempts/${first}/image`)).status()).toBe(200)

  await generate(page, 'Now with credits')
  await expectCredits(page, { available: 46, held: 4 })
  await expect(page.locator('article[data-status="delivered"]')).toHaveCount(3, { timeout: 40_000 })
  expect((await darkroom.ledger(email)).map(({ kind }) => kind)).toEqual([
    'granted',
    'reserved',
    'settled',
  ])
})

test('a failed free image is given back to its day', async ({ page }) => {
  await page.goto('/studio')
  await generate(page, 'It breaks #drill:fail')
  await expectStatus(onlyAttempt(page), 'failed')
  await expect(onlyAttempt(page)).toContainText('You were not charged. The free image is back.')
  await promptBox(page).fill('Once more')
  await expect(page.getByRole('button', { name: 'Generate: 1 of today’s 2 free' })).toBeEnabled()
})

test('the reset of the day is told in the reader’s own zone and agrees with the server', async ({
  page,
}) => {
  await page.goto('/studio')
  await page.goto('/credits')
  const answer = await page.request.get('/api/attempts')
  const { balance } = (await answer.json()) as { balance: { allowance: { resets_at: string } } }
  const time = page.getByRole('region', { name: 'Free images' }).locator('time')
  await expect(time).toHaveAttribute('datetime', balance.allowance.resets_at)
  expect(new Date(balance.allowance.resets_at).getUTCHours()).toBe(0)
  // The browser of these tests is in Berlin, one or two hours ahead of UTC.
  await expect(time).toContainText(/0[12]:00:00/)
})

test('one browser’s guest sees nothing of another’s', async ({ page, browser, darkroom }) => {
  await page.goto('/studio')
  await generate(page, 'Only for me')
  await expectStatus(onlyAttempt(page), 'delivered')
  const id = await attemptIdOf(onlyAttempt(page))
  const elsewhere = await browser.newContext({ baseURL: darkroom.url })
  const other = await elsewhere.newPage()
  await other.goto('/studio')
  await expect(promptBox(other)).toBeVisible()
  await expect(onlyAttempt(other)).toHaveCount(0)
  expect((await other.request.get(`/api/attempts/${id}/image`)).status()).toBe(404)
  await elsewhere.close()
})
