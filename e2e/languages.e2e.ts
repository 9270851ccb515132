import AxeBuilder from '@axe-core/playwright'
import type { Browser, Page } from '@playwright/test'
import { expect, expectStatus, onlyAttempt, test } from './fixtures'

// Everything here is read and pressed by its name in the language in question.

// A browser that is kept from its service worker complains, and here nothing may.
test.use({ serviceWorkers: 'allow' })

/** A browser of somebody who reads this language. */
async function readerOf(browser: Browser, locale: string, baseURL: string): Promise<Page> {
  const context = await browser.newContext({ locale, baseURL, timezoneId: 'Europe/Berlin' })
  return context.newPage()
}

const languageOf = (page: Page) => page.locator('html')

for (const [asked, lang, name] of [
  ['de-AT', 'de', 'Sprache'],
  ['ja-JP', 'ja', '言語'],
  ['fr-FR', 'en', 'Language'],
] as const) {
  test(`a browser that asks for ${asked} is answered in ${lang}`, async ({ browser, baseURL }) => {
    const page = await readerOf(browser, asked, baseURL)
    for (const path of ['/', '/sign-in', '/sign-up']) {
      await page.goto(path)
      await expect(languageOf(page)).toHaveAttribute('lang', lang)
      await expect(page.getByRole('combobox', { name })).toHaveValue(lang)
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
    }
    await page.context().close()
  })
}

test('a language that is chosen is kept, for the next page and the next visit', async ({
  page,
}) => {
  await page.goto('/sign-in')
  await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch')
  await expect(languageOf(page)).toHaveAttribute('lang', 'de')
  await page.goto('/sign-up')
  await expect(page.getByRole('combobox', { name: 'Sprache' })).toHaveValue('de')
  await page.getByRole('combobox', { name: 'Sprache' }).selectOption('日本語')
  await expect(languageOf(page)).toHaveAttribute('lang', 'ja')
  await page.reload()
  await expect(languageOf(page)).toHaveAttribute('lang', 'ja')
})

test('the account’s menu changes the language, and nothing typed is lost', async ({ studio }) => {
  const prompt = 'a lighthouse in the fog'
  await studio.getByRole('textbox', { name: 'Prompt' }).fill(prompt)
  await studio.getByRole('button', { name: 'Account' }).click()
  await studio.getByRole('menuitemradio', { name: 'Deutsch' }).click()
  await expect(languageOf(studio)).toHaveAttribute('lang', 'de')
  await expect(studio.getByRole('textbox', { name: 'Prompt' })).toHaveValue(prompt)
  await studio.getByRole('button', { name: 'Konto' }).click()
  await expect(studio.getByRole('menuitemradio', { name: 'Deutsch' })).toBeChecked()
})

test('a whole journey is made in German, and no word is missing', async ({ studio: page }) => {
  const complaints: string[] = []
  page.on('console', (line) => {
    if (['error', 'warning'].includes(line.type())) complaints.push(line.text())
  })
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
  await expect(languageOf(page)).toHaveAttribute('lang', 'de')

  await page.getByRole('textbox', { name: 'Prompt' }).fill('ein Leuchtturm im Nebel')
  await page.getByRole('button', { name: /^Erzeugen: 4 Credits, 96 übrig/ }).click()
  const card = onlyAttempt(page)
  await expectStatus(card, 'delivered')
  await expect(card).toContainText('Geliefert')
  await expect(card).toContainText('4 Credits berechnet.')

  await page.getByRole('textbox', { name: 'Prompt' }).fill('verloren #drill:lost-answer')
  await page.getByRole('button', { name: /^Erzeugen: 4 Credits, 92 übrig/ }).click()
  await expectStatus(card.first(), 'unresolved')
  await expect(card.first()).toContainText('Ungeklärt')
  await expect(card.first()).toContainText('4 Credits sind reserviert.')
  await expect(card.first()).not.toContainText('fehlgeschlagen')

  await card.last().getByRole('link').first().click()
  await expect(page.getByRole('heading', { name: 'Verlauf' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('gespeichert, geprüft und geliefert')
  await expect(page.getByRole('main')).toContainText('Reserviert')
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])

  await page.getByRole('link', { name: 'Bilder', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Bilder' })).toBeVisible()
  await page.getByRole('link', { name: 'Credits', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Guthaben' })).toContainText('Verbraucht')
  await expect(page.getByRole('main')).toContainText('4 Credits berechnet für 1 Bild')
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  expect(complaints).toEqual([])
})

test('numbers and dates are written as the language writes them', async ({
  person,
  page,
  darkroom,
}) => {
  await darkroom.sql.query(
    `select grant_credits(account_id, 1134, 'e2e', 'test', 'as a test has it')
     from user_identity where email = $1`,
    [person.email],
  )
  await page.goto('/credits')
  await expect(page.getByRole('main')).toContainText('1,234')
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
  await expect(page.getByRole('main')).toContainText('1.234')
  await page.getByRole('button', { name: 'Konto' }).click()
  await page.getByRole('menuitemradio', { name: '日本語' }).click()
  await expect(page.getByRole('main')).toContainText('利用可能')
  await expect(page.getByRole('main')).toContainText('1,234')
  await expect(page.getByRole('main').locator('time').first()).toContainText('年')
})
