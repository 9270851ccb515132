import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Nothing that axe knows is wrong with the page as it is, in either theme. */
export async function expectAccessible(page: Page, where = page.url()): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const { violations } = await new AxeBuilder({ page }).analyze()
    const found = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
    expect(found, `${where}, ${colorScheme}`).toEqual([])
  }
}
