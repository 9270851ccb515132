import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible'
import { expect, signUp, test } from './fixtures'
import {
  adminsPlaces,
  makeRole,
  stageEveryState,
  stageSettings,
  strangersPlaces,
  usersPlaces,
  type Place,
} from './stage'

test.use({ settings: { ...stageSettings, SIGNUP_CREDITS: '100' } })
test.setTimeout(900_000)

const sizes = [
  { width: 320, height: 700 },
  { width: 1280, height: 900 },
] as const

/** Nothing that axe knows, in either theme, and nothing wider than its window. */
async function expectAllAccessible(page: Page, places: readonly Place[]) {
  for (const { path } of places) {
    await page.goto(path)
    for (const size of sizes) {
      await page.setViewportSize(size)
      await expectAccessible(page, `${path} at ${size.width} px`)
      expect(await widerThanWindow(page), `${path} at ${size.width} px`).toEqual([])
    }
  }
}

/** What makes the page scroll sideways; nothing when it does not. */
const widerThanWindow = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth)
      .map((element) => element.outerHTML.slice(0, 160))
  })

test('pages for everybody have no accessibility problem that axe knows', async ({ page }) => {
  await expectAllAccessible(page, strangersPlaces)
})

test('each page and each state of an attempt has no accessibility problem that axe knows', async ({
  page,
  darkroom,
}) => {
  const person = await signUp(page)
  const stage = await stageEveryState(page, darkroom)
  await expectAllAccessible(page, usersPlaces(stage))
  await makeRole(darkroom, person, 'admin')
  await expectAllAccessible(page, adminsPlaces(stage))
})
