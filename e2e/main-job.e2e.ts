import {
  attemptIdOf,
  expect,
  expectCredits,
  expectStatus,
  generate,
  onlyAttempt,
  promptBox,
  signUp,
  test,
} from './fixtures'

test('one click makes one image for one charge: available, held, spent', async ({
  page,
  person,
  darkroom,
}) => {
  await expectCredits(page, { available: 100, held: 0 })
  await promptBox(page).fill('A lighthouse in a storm at night')
  await expect(page.getByRole('button', { name: /^Generate/ })).toHaveText(
    /Generate: 4 credits, 96 left/,
  )
  await generate(page, 'A lighthouse in a storm at night')
  await expectCredits(page, { available: 96, held: 4 })

  const card = onlyAttempt(page)
  await expectStatus(card, 'delivered')
  await expectCredits(page, { available: 96, held: 0 })
  await expect(card).toContainText('Charged 4 credits')
  expect(await darkroom.submissions(await attemptIdOf(card))).toBe(1)
  expect(await darkroom.ledger(person.email)).toEqual([
    { kind: 'granted', amount: 100 },
    { kind: 'reserved', amount: 4 },
    { kind: 'settled', amount: 4 },
  ])
})

test('the image opens with its parameters, its history and its money', async ({ studio: page }) => {
  await generate(page, 'Dunes at sunset, long shadows')
  const card = onlyAttempt(page)
  await expectStatus(card, 'delivered')
  const id = await attemptIdOf(card)
  await card.getByRole('link').first().click()
  await page.waitForURL(`**/images/${id}`)

  const image = page.locator(`img[src*="/api/attempts/${id}/image"]`).first()
  await expect(image).toBeVisible()
  await expect
    .poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth))
    .toBe(1024)
  await expect(page.getByRole('main')).toContainText('Dunes at sunset, long shadows')
  await expect(page.getByRole('main')).toContainText('You asked for this image.')
  await expect(page.getByRole('main')).toContainText('stored, checked and delivered')

  await page.goto('/images')
  await expect(page.locator(`[data-attempt-id="${id}"]`)).toHaveAttribute(
    'data-status',
    'delivered',
  )
  await page.goto('/credits')
  const statement = page.getByRole('main')
  await expect(statement).toContainText(/granted/i)
  await expect(statement).toContainText(/hold/i)
  await expect(statement).toContainText(/charged/i)
})

test('nobody else sees an image, its page or its bytes', async ({ studio: page, browser }) => {
  await generate(page, 'A private garden')
  const card = onlyAttempt(page)
  await expectStatus(card, 'delivered')
  const id = await attemptIdOf(card)
  const stranger = await browser.newContext({ baseURL: new URL(page.url()).origin })
  const other = await stranger.newPage()
  await signUp(other)
  expect((await other.goto(`/images/${id}`))?.status()).toBe(404)
  expect((await other.request.get(`/api/attempts/${id}`)).status()).toBe(404)
  expect((await other.request.get(`/api/attempts/${id}/image`)).status()).toBe(404)
  const batch = await other.request.get(`/api/attempts?ids=${id}`)
  expect(((await batch.json()) as { attempts: unknown[] }).attempts).toEqual([])
  await stranger.close()
})
