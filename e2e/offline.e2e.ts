import { expect, generate, expectStatus, onlyAttempt, promptBox, signIn, test } from './fixtures'

test.use({ serviceWorkers: 'allow' })

const AWAY = { name: 'This page could not be reached' }
const OLD =
  'Darkroom does not answer. What you see may be old; we keep asking, and nothing is lost.'

test('every page says that it may be old while nothing answers, and stops saying so', async ({
  page,
  darkroom,
  context,
}) => {
  if (!darkroom.credentials) throw new Error('there is no demo admin')
  await signIn(page, darkroom.credentials.admin)
  for (const path of ['/studio', '/images', '/credits', '/account', '/admin', '/admin/attempts']) {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    await context.setOffline(true)
    await expect(page.getByText(OLD), path).toBeVisible()
    await context.setOffline(false)
    await expect(page.getByText(OLD), path).toBeHidden()
  }
})

test('a page that is not reached says so in Darkroom’s words, and comes when it is', async ({
  studio: page,
  context,
}) => {
  await promptBox(page).fill('A fog bank over the harbour')
  await page.evaluate(() => navigator.serviceWorker.ready)
  await context.setOffline(true)
  await page.goto('/account')
  await expect(page.getByRole('heading', AWAY)).toBeVisible()
  await context.setOffline(false)
  await page.getByRole('link', { name: 'Try now' }).click()
  await expect(page.getByRole('heading', { name: 'Account', exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Studio' }).click()
  await expect(promptBox(page)).toHaveValue('A fog bank over the harbour')
})

test('a link that is followed without an answer leads to the same words', async ({
  studio: page,
  context,
}) => {
  await page.evaluate(() => navigator.serviceWorker.ready)
  await generate(page, 'A lamp in the window')
  await expectStatus(onlyAttempt(page), 'delivered')
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Credits', exact: true }).first().click()
  await expect(page.getByRole('heading', AWAY)).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/credits')
  await context.setOffline(false)
  // Nobody presses anything: the page asks again by itself.
  await expect(page.getByRole('heading', { name: 'Credits' })).toBeVisible({ timeout: 30_000 })
})

test('the words are in the reader’s language, also after it was changed', async ({
  page,
  context,
}) => {
  await page.goto('/sign-in')
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.getByLabel('Language').selectOption('de')
  await expect(page.getByLabel('Sprache')).toBeVisible()
  await page.reload()
  // The new script takes over on its own; when, the browser decides.
  await expect(async () => {
    await context.setOffline(true)
    await page.goto('/sign-up').catch(() => undefined)
    const words = page.getByRole('heading', { name: 'Diese Seite ist nicht erreichbar' })
    await context.setOffline(false)
    await expect(words).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 30_000 })
})
