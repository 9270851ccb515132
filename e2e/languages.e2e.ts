import AxeBuilder from '@axe-core/playwright'
import type { Browser, Page } from '@playwright/test'
import { expect, test } from './fixtures'

// Everything here is read and pressed by its name in the language in question.

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
