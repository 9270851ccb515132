import {
  attemptIdOf,
  blockActions,
  expect,
  expectCredits,
  expectStatus,
  generate,
  generateButton,
  loseNextActionAnswer,
  onlyAttempt,
  promptBox,
  test,
} from './fixtures'

// Each state, and how to bring an attempt to rest in it. C39: reloading goes on with the same one.
const restingStates = [
  { status: 'submitting', prompt: 'A slow handshake #drill:late-answer' },
  { status: 'generating', prompt: 'A long exposure #drill:slow' },
  { status: 'unresolved', prompt: 'A lost letter #drill:lost-answer' },
  { status: 'delivering', prompt: 'A print in the wash #drill:result-down' },
  { status: 'delivered', prompt: 'A finished print' },
  { status: 'failed', prompt: 'A burnt print #drill:fail' },
] as const

for (const { status, prompt } of restingStates) {
  test(`reloading five times while ${status} goes on with the same attempt`, async ({
    page,
    person,
    darkroom,
  }) => {
    await generate(page, prompt)
    const card = onlyAttempt(page)
    await expectStatus(card, status)
    const id = await attemptIdOf(card)
    for (let reload = 0; reload < 5; reload += 1) {
      await page.reload()
      await expect(card).toHaveCount(1)
      await expect(card).toHaveAttribute('data-attempt-id', id)
    }
    expect(await darkroom.submissions(id)).toBe(1)
    const held = (await darkroom.ledger(person.email)).filter(({ kind }) => kind === 'reserved')
    expect(held).toEqual([{ kind: 'reserved', amount: 4 }])
  })
}

test('what waits while no worker runs is queued, and goes on when one comes back', async ({
  studio: page,
  darkroom,
}) => {
  await darkroom.killChild('worker', 'SIGKILL')
  try {
    await generate(page, 'Patience')
    const card = onlyAttempt(page)
    await expectStatus(card, 'queued')
    const id = await attemptIdOf(card)
    await page.reload()
    await expectStatus(card, 'queued')
    await expectCredits(page, { available: 96, held: 4 })
    expect(await darkroom.submissions(id)).toBe(0)
    await darkroom.restartChild('worker')
    await expectStatus(card, 'delivered')
    expect(await darkroom.submissions(id)).toBe(1)
  } finally {
    await darkroom.restartChild('worker')
  }
})

test('a page loaded cold follows a running attempt by itself', async ({
  studio: page,
  context,
}) => {
  // C40: polling does not depend on the click that began it.
  await generate(page, 'Seen from a second tab')
  const second = await context.newPage()
  await second.goto('/studio')
  await expectStatus(onlyAttempt(second), 'delivered')
  await expectCredits(second, { available: 96, held: 0 })
  await expectStatus(onlyAttempt(page), 'delivered')
})

test('a closed and reopened browser finds its attempt', async ({
  studio: page,
  browser,
  darkroom,
}) => {
  await generate(page, 'Left alone #drill:slow')
  await expectStatus(onlyAttempt(page), 'generating')
  const id = await attemptIdOf(onlyAttempt(page))
  const state = await page.context().storageState()
  const origin = new URL(page.url()).origin
  await page.context().close()

  const reopened = await browser.newContext({ baseURL: origin, storageState: state })
  const again = await reopened.newPage()
  await again.goto('/studio')
  await expect(onlyAttempt(again)).toHaveAttribute('data-attempt-id', id)
  await expectStatus(onlyAttempt(again), 'delivered')
  expect(await darkroom.submissions(id)).toBe(1)
  await reopened.close()
})

test('a lost answer of our own server is asked for again under the same id', async ({
  page,
  person,
  darkroom,
}) => {
  await loseNextActionAnswer(page)
  await generate(page, 'Say that again')
  const card = onlyAttempt(page)
  await expectStatus(card, 'delivered')
  expect(await darkroom.submissions(await attemptIdOf(card))).toBe(1)
  expect(await darkroom.ledger(person.email)).toHaveLength(3)
})

test('a request that never arrived is sent after a reload, unchanged', async ({
  page,
  person,
  darkroom,
}) => {
  await blockActions(page)
  await generate(page, 'Written down before it was sent')
  const waiting = page.locator('[data-request-id]')
  await expect(waiting).toHaveCount(1)
  const requestId = await waiting.getAttribute('data-request-id')
  await expectCredits(page, { available: 100, held: 0 })

  await page.unroute('**/studio')
  await page.reload()
  await expectStatus(onlyAttempt(page), 'delivered')
  await expect(waiting).toHaveCount(0)
  const { rows } = await darkroom.sql.query<{ request_id: string }>(
    `select request_id from attempt join user_identity using (account_id) where email = $1`,
    [person.email],
  )
  expect(rows).toEqual([{ request_id: requestId }])
})

test('pressing Generate again on an unchanged draft sends the same request, an edited one another', async ({
  page,
  person,
  darkroom,
}) => {
  await blockActions(page)
  await generate(page, 'First thought')
  await expect(page.locator('[data-request-id]')).toHaveCount(1)
  await expect(generateButton(page)).toBeEnabled()
  await page.getByRole('button', { name: /^Generate/ }).click()
  await expect(page.locator('[data-request-id]')).toHaveCount(1)
  await expect(generateButton(page)).toBeEnabled()
  await promptBox(page).fill('Second thought')
  await page.getByRole('button', { name: /^Generate/ }).click()
  await expect(page.locator('[data-request-id]')).toHaveCount(2)
  await page.unroute('**/studio')
  await page.reload()
  await expect(page.locator('article[data-attempt-id]')).toHaveCount(2)
  await expect(page.locator('article[data-status="delivered"]')).toHaveCount(2, { timeout: 40_000 })
  expect((await darkroom.ledger(person.email)).map(({ kind }) => kind).sort()).toEqual([
    'granted',
    'reserved',
    'reserved',
    'settled',
    'settled',
  ])
})
