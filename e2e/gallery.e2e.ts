import { readFile } from 'node:fs/promises'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, generate, promptBox, test } from './fixtures'
import type { Installation } from './installation'

const deliveredFrames = (page: Page) => page.locator('li[data-status="delivered"]')

async function makePictures(page: Page, prompts: readonly string[]): Promise<void> {
  for (const prompt of prompts) {
    await generate(page, prompt)
    await expect(promptBox(page)).toBeVisible()
  }
  await page.goto('/images')
  await expect(deliveredFrames(page)).toHaveCount(prompts.length, { timeout: 60_000 })
}

const openMain = async (page: Page, path: string) => {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
}

test('pictures are found by prompt, marked, kept through a reload, and filtered', async ({
  studio: page,
}) => {
  await makePictures(page, ['A red fox in snow', 'A harbour at dusk'])
  await page.getByRole('searchbox', { name: 'Search prompts' }).fill('SNOW fox')
  await page.keyboard.press('Enter')
  await page.waitForURL(/q=SNOW/)
  await expect(deliveredFrames(page)).toHaveCount(1)
  await deliveredFrames(page).first().hover()
  // The star shows before the server has answered; a page left sooner takes the request with it.
  const kept = page.waitForResponse((answer) => answer.request().method() === 'POST')
  await page.getByRole('button', { name: 'Favourite: A red fox in snow' }).click()
  await kept
  await page.goto('/images?show=favourites')
  await expect(deliveredFrames(page)).toHaveCount(1)
  await page.getByRole('link', { name: 'Unresolved' }).click()
  await expect(page.getByRole('main')).toContainText('Nothing is unresolved')
  await page.goBack()
  await expect(deliveredFrames(page)).toHaveCount(1)
})

test('keys choose a range, which is downloaded, and deleted only after what stays was said', async ({
  page,
  person,
  darkroom,
}) => {
  await makePictures(page, ['First', 'Second', 'Third'])
  const ledger = await darkroom.ledger(person.email)
  const frame = (name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) })
  await frame('Third').focus()
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+ArrowRight')
  await expect(frame('Second')).toBeFocused()
  await expect(page.getByRole('status').filter({ hasText: '2 selected' })).toBeVisible()

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  const zip = await readFile(await download.path())
  expect(zip.includes('Third-')).toBe(true)
  expect(zip.includes('First-')).toBe(false)

  await page.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('every line about credits')
  await expect(dialog.getByRole('button', { name: 'Keep them' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Keep them' }).click()
  await expect(page.getByRole('button', { name: 'Delete' })).toBeFocused()
  await expect(deliveredFrames(page)).toHaveCount(3)
  await page.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete 2 pictures' }).click()
  await expect(deliveredFrames(page)).toHaveCount(1)
  await page.reload()
  await expect(deliveredFrames(page)).toHaveCount(1)
  expect(await darkroom.ledger(person.email)).toEqual(ledger)

  await page.goto('/credits')
  await page.getByRole('link', { name: 'Third' }).first().click()
  await expect(page.getByRole('main')).toContainText('You deleted this picture')
  await expect(page.locator('article img')).toHaveCount(0)
})

const GREY_PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
)

/** Older copies of the person's one picture, straight into the tables. Their files are not there. */
async function addCopies(darkroom: Installation, email: string, count: number): Promise<void> {
  const idOf = (n: string) =>
    `(lpad(to_hex(${n}), 12, '0') || '7000' || '8' || substr(md5($1), 1, 15))::uuid`
  const client = await darkroom.sql.connect()
  await client.query('begin; set local session_replication_role = replica')
  for (const insert of [
    `insert into attempt (id, account_id, request_id, fingerprint, provider, model, prompt, settings, price,
       reserved_credits, allowance_day, callback_token_hash, state, version, settlement, created_at)
     select ${idOf('n')}, account_id, gen_random_uuid(), fingerprint, provider, model, 'Copy ' || n,
       settings, price, reserved_credits, allowance_day, sha256(gen_random_uuid()::text::bytea), state,
       version, settlement, created_at - (1000 - n) * interval '1 minute'`,
    `insert into artwork (attempt_id, account_id, object_key, sha256, content_type, width, height,
       size_bytes, blur)
     select ${idOf('n')}, account_id, 'images/copy-' || n, w.sha256, content_type, width, height,
       size_bytes, blur`,
  ]) {
    await client.query(
      `${insert} from generate_series(1, $2::int) n,
         (select a.*, w.sha256, w.content_type, w.width, w.height, w.size_bytes, w.blur
          from user_identity i join attempt a using (account_id)
          join artwork w on w.attempt_id = a.id where i.email = $1) w`,
      [email, count],
    )
  }
  await client.query('commit')
  client.release()
}

test('a long sheet draws what is near, and keys and ranges reach what is not', async ({
  page,
  person,
  darkroom,
}) => {
  await makePictures(page, ['The newest'])
  await addCopies(darkroom, person.email, 300)
  await page.route('**/api/attempts/*/image?*', (route) =>
    route.fulfill({ contentType: 'image/png', body: GREY_PIXEL }),
  )
  await page.reload()
  const frame = (name: string) => page.getByRole('link', { name: new RegExp(`^${name}(?!\\d)`) })
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await expect(frame('Copy 1')).toBeInViewport({ timeout: 1_000 })
  }).toPass({ timeout: 60_000 })
  await expect(page.locator('li[aria-posinset="301"][aria-setsize="301"]')).toContainText('Copy 1')
  expect(await page.locator('li[data-attempt-id]').count()).toBeLessThan(120)
  await expect(frame('The newest')).toHaveCount(0)

  await frame('Copy 1').focus()
  await page.keyboard.press('Home')
  await expect(frame('The newest')).toBeFocused()
  await expect(frame('The newest')).toBeInViewport()
  // What has the focus stays, however far it is scrolled away, and keys go on from it.
  await page.mouse.move(600, 400)
  await page.mouse.wheel(0, 5_000)
  await expect(frame('The newest')).not.toBeInViewport()
  await expect(frame('The newest')).toBeFocused()
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+End')
  await expect(frame('Copy 1')).toBeFocused()
  await expect(page.getByRole('status').filter({ hasText: '301 selected' })).toBeVisible()
  expect(await page.locator('li[data-attempt-id]').count()).toBeLessThan(120)
})

test('a shared link shows the picture to strangers until it is withdrawn', async ({
  studio: page,
  browser,
}) => {
  await makePictures(page, ['A secret garden'])
  await deliveredFrames(page).first().getByRole('link').click()
  await page.getByRole('button', { name: 'Make a link' }).click()
  const link = page.getByLabel('Link to the picture')
  const path = new URL(await link.inputValue()).pathname
  const stranger = await browser.newContext({ baseURL: new URL(page.url()).origin })
  const other = await stranger.newPage()
  expect((await other.goto(path))?.status()).toBe(200)
  await expect(other.getByRole('img', { name: 'The shared picture' })).toBeVisible()
  expect(await other.content()).not.toContain('secret garden')
  await expect(other.locator('meta[name="robots"]')).toHaveAttribute('content', /noindex/)
  await expect(other.locator('meta[property="og:image"]')).toHaveAttribute('content', /\/image$/)

  // It shows what is so, not what was asked for: it changes with the answer.
  await page.getByLabel('Show the prompt there too').click()
  await expect(page.getByLabel('Show the prompt there too')).toBeChecked()
  await expect(async () => {
    await other.reload()
    await expect(other.getByRole('main')).toContainText('A secret garden', { timeout: 1_000 })
  }).toPass()
  await page.getByRole('button', { name: 'Withdraw the link' }).click()
  await expect(page.getByRole('button', { name: 'Make a link' })).toBeVisible()
  expect((await other.reload())?.status()).toBe(404)
  expect((await other.request.get(`${path}/image`)).status()).toBe(404)
  await stranger.close()
})

test('the picture is enlarged and let go by keys, and arrows go from picture to picture', async ({
  studio: page,
}) => {
  await makePictures(page, ['Older one', 'Newer one'])
  await deliveredFrames(page).first().getByRole('link').click()
  await expect(page.getByRole('main')).toContainText('Newer one')
  await page.getByRole('button', { name: 'Enlarge the picture' }).click()
  const zoom = page.getByRole('dialog', { name: 'The picture, enlarged' })
  await page.keyboard.press('+')
  await expect(zoom).toContainText('100%')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Escape')
  await expect(zoom).toBeHidden()
  const enlarge = page.getByRole('button', { name: 'Enlarge the picture' })
  await expect(enlarge).toBeFocused()
  // Whoever is quicker than the browser's word that it closed is heard all the same.
  await page.keyboard.press('Enter')
  await expect(zoom).toBeVisible()
  await enlarge.evaluate((button: HTMLElement) =>
    button.addEventListener('focus', () => queueMicrotask(() => button.click()), { once: true }),
  )
  await page.keyboard.press('Escape')
  await expect(zoom).toBeVisible()
  await expect(zoom.getByRole('button', { name: 'Close' })).toBeEnabled()
  await page.keyboard.press('Escape')
  await expect(enlarge).toBeFocused()
  // Its own button takes the dialog away rather than closing it: the focus must come back all the same.
  await page.keyboard.press('Enter')
  await zoom.getByRole('button', { name: 'Close' }).click()
  await expect(enlarge).toBeFocused()
  await expect(page.getByRole('main')).toContainText('Newer one')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('main')).toContainText('Older one')
})

test('a daily limit of one’s own stops the next image, says why, and is lifted', async ({
  studio: page,
}) => {
  await page.goto('/credits')
  await page.getByLabel(/Credits a day/).fill('3')
  await page.getByRole('button', { name: 'Save limit' }).click()
  await expect(page.getByRole('main')).toContainText('Today uses 0 of 3 credits')
  await page.goto('/studio')
  await generate(page, 'One too many')
  await expect(page.getByText('Your own daily limit is 3 credits').first()).toBeVisible()
  await expect(page.locator('article[data-attempt-id]')).toHaveCount(0)
  await page.goto('/credits')
  await page.getByLabel(/Credits a day/).fill('')
  await page.getByRole('button', { name: 'Save limit' }).click()
  await expect(page.getByRole('main')).toContainText('None set')
})

test('the pages of pictures and of credits have no accessibility fault, wide and narrow', async ({
  studio: page,
}) => {
  await makePictures(page, ['A calm sea'])
  const id = await deliveredFrames(page).first().getAttribute('data-attempt-id')
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 })
    for (const path of ['/images', `/images/${id}`, '/credits', '/images?show=failed']) {
      await openMain(page, path)
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations.map(({ id: rule }) => `${path} ${width}: ${rule}`)).toEqual([])
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(overflow, `${path} at ${width}`).toBeLessThanOrEqual(0)
    }
  }
})
