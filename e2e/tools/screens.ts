import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { inRoot } from '@/scripts/launch/root'
import {
  startStripeStandIn,
  STRIPE_SECRET_KEY,
  STRIPE_WEBHOOK_SECRET,
} from '@/test/stripe-stand-in'
import { expect, signUp, test } from '../fixtures'
import {
  adminsPlaces,
  makeRole,
  stageEveryState,
  stageSettings,
  strangersPlaces,
  usersPlaces,
  type Place,
} from '../stage'

const FOLDER = inRoot('docs', 'screens')
const QUALITY = 80
const sizes = [
  { width: 360, height: 780 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
] as const

const stripe = await startStripeStandIn()
test.use({
  settings: {
    ...stageSettings,
    SIGNUP_CREDITS: '100',
    STRIPE_SECRET_KEY,
    STRIPE_WEBHOOK_SECRET,
    STRIPE_API_URL: stripe.url,
  },
})
test.afterAll(() => stripe.close())
test.setTimeout(1_200_000)

async function shoot(page: Page, { name, path }: Place) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const size of sizes) {
      await page.setViewportSize(size)
      await page.goto(path)
      await page.waitForLoadState('networkidle')
      await showAll(page)
      const png = await page.screenshot({ fullPage: true })
      const file = join(FOLDER, `${name}-${colorScheme}-${size.width}.webp`)
      await sharp(png).webp({ quality: QUALITY }).toFile(file)
    }
  }
}

/** Pictures below the window are fetched when somebody comes near. */
async function showAll(page: Page) {
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += window.innerHeight / 2) {
      window.scrollTo(0, y)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => window.scrollTo(0, 0))
}

/** So that there is a line of it in the statement. */
async function buyThePack(page: Page) {
  await page.goto('/credits')
  await page
    .getByRole('button', { name: /^Buy for/ })
    .first()
    .click()
  await page.waitForURL(`${stripe.url}/pay/*`)
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await expect(page.getByText(/^Paid:/)).toBeVisible()
}

async function shootAll(page: Page, places: readonly Place[]) {
  for (const place of places) await shoot(page, place)
}

test('every page and every state of an attempt, in docs/screens', async ({ page, darkroom }) => {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  await shootAll(page, strangersPlaces)
  const person = await signUp(page)
  await shoot(page, { name: 'studio-empty', path: '/studio' })
  await shoot(page, { name: 'images-empty', path: '/images' })
  await page.goto('/studio')
  const stage = await stageEveryState(page, darkroom)
  await buyThePack(page)
  await shootAll(page, usersPlaces(stage))
  await makeRole(darkroom, person, 'admin')
  await shootAll(page, adminsPlaces(stage))
})
