import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import {
  expect,
  expectCredits,
  expectStatus,
  generateButton,
  onlyAttempt,
  promptBox,
  signUp,
  test,
} from './fixtures'

// From signing up to signing out as people do it: with a thumb on a phone, and without any pointer.

const TABS_MAX = 80
// WCAG 2.2, 2.5.8.
const TARGET_PX_MIN = 24

async function expectToFit(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow, page.url()).toBeLessThanOrEqual(0)
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

  test('a picture is made, found, marked, shared and understood with a thumb', async ({ page }) => {
    await signUp(page)
    await promptBox(page).fill('A kite above the dunes')
    await page.getByRole('button', { name: /random seed/ }).tap()
    await page.getByRole('radio', { name: /Proof/ }).tap()
    await page.getByRole('radio', { name: '2 images' }).tap()
    const generate = page.getByRole('button', { name: 'Generate 2: 2 credits, 98 left' })
    await expectToFit(page)
    await generate.tap()
    const delivered = page.locator('article[data-status="delivered"]')
    await expect(delivered).toHaveCount(2, { timeout: 60_000 })
    await expectCredits(page, { available: 98, held: 0 })
    await expectToFit(page)

    await delivered.first().getByRole('link').first().tap()
    await page.waitForURL('**/images/*')
    const marked = page.waitForResponse((answer) => answer.request().method() === 'POST')
    await page.getByRole('button', { name: 'Favourite', exact: true }).tap()
    await marked
    await page.getByRole('button', { name: 'Make a link' }).tap()
    await expect(page.getByLabel('Link to the picture')).toBeVisible()
    await expectToFit(page)

    await page.getByRole('link', { name: 'Images', exact: true }).tap()
    await page.getByRole('link', { name: 'Favourites' }).tap()
    await expect(page.locator('li[data-status="delivered"]')).toHaveCount(1)
    await expectToFit(page)

    await page.getByRole('link', { name: 'Credits', exact: true }).tap()
    await expect(page.getByRole('main')).toContainText('2 credits charged for 2 images')
    await expectToFit(page)
    await page.getByRole('button', { name: 'Account' }).tap()
    await page.getByRole('menuitem', { name: 'Sign out' }).tap()
    await expect(page.getByRole('link', { name: 'Create account' })).toBeVisible()
  })

  test('whatever is tapped is large enough for a thumb', async ({ page }) => {
    await signUp(page)
    for (const path of ['/studio', '/images', '/credits', '/account']) {
      await page.goto(path)
      const small = await page
        .getByRole('main')
        .locator('button, a[href], input:not([type="hidden"]), select, [role="radio"]')
        .evaluateAll(
          (elements, least) =>
            elements.flatMap((element) => {
              // A link in a sentence may be as high as its line, and what is hidden is tapped by its label.
              const target = element.closest('label') ?? element
              const { width, height } = target.getBoundingClientRect()
              const isInText =
                element.tagName === 'A' && getComputedStyle(element).display === 'inline'
              const isShown = element.checkVisibility() && width > 1
              return isShown && !isInText && (width < least || height < least)
                ? [`${element.outerHTML.slice(0, 120)}: ${width} x ${height}`]
                : []
            }),
          TARGET_PX_MIN,
        )
      expect(small, path).toEqual([])
    }
  })
})

/** Goes on by Tab until it has the focus, and sees that one can see where one is at each stop. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < TABS_MAX; presses += 1) {
    await page.keyboard.press('Tab')
    const stop = await page.evaluate(() => {
      const element = document.activeElement
      if (!element || element === document.body) return undefined
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
      const hasRing = (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
      // A radio shows its ring on what it is drawn as.
      const sibling = element.parentElement && getComputedStyle(element.parentElement)
      const isRinged = hasRing || (sibling?.outlineStyle ?? 'none') !== 'none'
      return { html: element.outerHTML.slice(0, 160), isRinged }
    })
    if (stop) expect(stop.isRinged, stop.html).toBe(true)
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`not reached by Tab: ${String(target)}`)
}

for (const viewport of [
  { width: 1280, height: 900 },
  { width: 360, height: 740 },
]) {
  test.describe(`without a pointer, ${viewport.width} pixels wide`, () => {
    test.use({ viewport })

    test('somebody signs up, makes a picture, looks at it, marks it and signs out', async ({
      page,
    }) => {
      await page.goto('/sign-up')
      await tabTo(page, page.getByLabel('Email'))
      await page.keyboard.type(`${randomUUID()}@example.com`)
      await tabTo(page, page.getByLabel('Password', { exact: true }))
      await page.keyboard.type(randomUUID())
      await page.keyboard.press('Enter')
      await page.waitForURL('**/studio')

      await tabTo(page, page.getByRole('link', { name: 'Skip to the content' }))
      await page.keyboard.press('Enter')
      await tabTo(page, promptBox(page))
      await page.keyboard.type('A lantern on a frozen lake')
      await expect(generateButton(page)).toHaveText(/4 credits, 96 left/)
      await page.keyboard.press('Control+Enter')
      const card = onlyAttempt(page)
      await expectStatus(card, 'delivered')
      await expectCredits(page, { available: 96, held: 0 })

      await tabTo(page, card.getByRole('link').first())
      await page.keyboard.press('Enter')
      await page.waitForURL('**/images/*')
      await tabTo(page, page.getByRole('button', { name: 'Enlarge the picture' }))
      await page.keyboard.press('Enter')
      await expect(page.getByRole('dialog', { name: 'The picture, enlarged' })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('button', { name: 'Enlarge the picture' })).toBeFocused()

      await page.goto('/images')
      const frame = page.locator('[data-frame]')
      await tabTo(page, frame)
      const kept = page.waitForResponse((answer) => answer.request().method() === 'POST')
      await page.keyboard.press('f')
      await kept
      await page.keyboard.press('x')
      await expect(page.getByRole('status').filter({ hasText: '1 selected' })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByText('1 selected')).toHaveCount(0)
      await expect(frame).toBeFocused()

      await page.goto('/credits')
      await tabTo(page, page.getByRole('button', { name: 'Account' }))
      await page.keyboard.press('Enter')
      const signOut = page.getByRole('menuitem', { name: 'Sign out' })
      await expect(signOut).toBeVisible()
      await page.keyboard.press('End')
      await expect(signOut).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('link', { name: 'Create account' })).toBeVisible()
    })
  })
}

test('a place that takes its time shows that it was asked for, until it is there', async ({
  studio: page,
}) => {
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(
    ({ pathname }) => pathname === '/credits',
    async (route) => {
      await released
      await route.continue()
    },
  )
  const link = page.getByRole('link', { name: 'Credits', exact: true })
  await link.click()
  await expect(link.locator('[data-mark="coming"]')).toBeVisible()
  release()
  await expect(page.getByRole('heading', { name: 'Credits', level: 1 })).toBeVisible()
  await expect(link.locator('[data-mark="here"]')).toBeVisible()
  await expect(page.locator('[data-mark="coming"]')).toHaveCount(0)
})
