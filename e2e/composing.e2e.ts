import { AxeBuilder } from '@axe-core/playwright'
import {
  attemptIdOf,
  blockActions,
  expect,
  expectCredits,
  expectStatus,
  generate,
  generateButton,
  onlyAttempt,
  promptBox,
  test,
} from './fixtures'

const cards = onlyAttempt

test.describe('several pictures at one press', () => {
  test('are attempts of their own, each with its seed and its charge', async ({
    page,
    person,
    darkroom,
  }) => {
    await promptBox(page).fill('Four of a kind')
    await page.getByRole('radio', { name: '4 images' }).check()
    await page.getByRole('button', { name: 'Generate 4: 16 credits, 84 left' }).dblclick()
    await expect(cards(page)).toHaveCount(4)
    // Four pictures take a busy machine its time.
    const delivered = page.locator('article[data-status="delivered"]')
    await expect(delivered).toHaveCount(4, { timeout: 60_000 })
    await expectCredits(page, { available: 84, held: 0 })
    const { rows } = await darkroom.sql.query<{ seeds: string; requests: string }>(
      `select count(distinct settings->>'seed') as seeds, count(distinct request_id) as requests
       from attempt join user_identity using (account_id) where email = $1`,
      [person.email],
    )
    expect(rows[0]).toEqual({ seeds: '4', requests: '4' })
    const kinds = (await darkroom.ledger(person.email)).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'settled')).toHaveLength(4)
    expect(kinds).toHaveLength(9)
  })

  test('whose answers are lost are sent again, each under its own id', async ({
    page,
    person,
    darkroom,
  }) => {
    await blockActions(page)
    await promptBox(page).fill('Three that do not arrive')
    await page.getByRole('radio', { name: '3 images' }).check()
    await page.getByRole('button', { name: /^Generate 3/ }).click()
    await expect(page.locator('article[data-request-id]')).toHaveCount(3)
    await page.reload()
    await expect(page.locator('article[data-request-id]')).toHaveCount(3)
    expect(await darkroom.ledger(person.email)).toHaveLength(1)
    await page.unrouteAll()
    await page.reload()
    await expect(cards(page)).toHaveCount(3)
    await expect(page.locator('article[data-request-id]')).toHaveCount(0)
    await expect(page.locator('[data-credits="available"]')).toHaveText('88')
    const kinds = (await darkroom.ledger(person.email)).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'reserved')).toHaveLength(3)
  })

  test('for which the credits do not suffice are fewer, and it is said before the click', async ({
    page,
    person,
    darkroom,
  }) => {
    await darkroom.sql.query(
      `select post_entry(account_id, 'corrected', -90, null, 'test', 'test', 'Spent in a test')
       from user_identity where email = $1`,
      [person.email],
    )
    await page.reload()
    await promptBox(page).fill('Not four')
    await page.getByRole('radio', { name: '4 images' }).check()
    await expect(generateButton(page)).toBeDisabled()
    await expect(page.getByText('You have 10 credits; this needs 16.')).toContainText(
      'There is enough for 2.',
    )
    await page.getByRole('button', { name: 'Make it 2 images' }).click()
    await expect(page.getByRole('button', { name: 'Generate 2: 8 credits, 2 left' })).toBeEnabled()
    await expect(cards(page)).toHaveCount(0)
  })
})

test.describe('cancelling', () => {
  test('before it was sent is proof: nothing made, nothing charged', async ({
    page,
    person,
    darkroom,
  }) => {
    // As if no worker were free.
    await darkroom.sql.query(`
      create function delay_work() returns trigger language plpgsql as
        $$ begin new.due_at := new.due_at + interval '1 hour'; return new; end $$;
      create trigger delay_work before insert on attempt_work
        for each row execute function delay_work()`)
    try {
      await generate(page, 'Not after all')
      await expectStatus(cards(page), 'queued')
    } finally {
      await darkroom.sql.query('drop function delay_work() cascade')
    }
    await cards(page).getByRole('button', { name: 'Cancel' }).click()
    await expectStatus(cards(page), 'failed')
    await expect(cards(page)).toContainText('Cancelled. Nothing was made, nothing is charged.')
    await expectCredits(page, { available: 100, held: 0 })
    expect(await darkroom.submissions(await attemptIdOf(cards(page)))).toBe(0)
    expect((await darkroom.ledger(person.email)).map(({ kind }) => kind)).toEqual([
      'granted',
      'reserved',
      'released',
    ])
  })

  test('after it was sent is a wish: held, said, and the same after a reload', async ({
    page,
    person,
    darkroom,
  }) => {
    await generate(page, 'Too late to be sure #drill:lost-answer')
    await expectStatus(cards(page), 'unresolved')
    await cards(page).getByRole('button', { name: 'Cancel' }).click()
    for (let look = 0; look < 2; look += 1) {
      await expect(cards(page)).toContainText(
        'Cancel requested. It may still arrive and be charged.',
      )
      await expect(cards(page).getByRole('button', { name: 'Cancel' })).toHaveCount(0)
      await expectCredits(page, { available: 96, held: 4 })
      await expect(cards(page)).not.toContainText(/not charged|nothing is charged/)
      await page.reload()
    }
    expect(await darkroom.ledger(person.email)).toHaveLength(2)
  })

  test('is confirmed on its page once the image service says that it stopped', async ({
    page,
    person,
    darkroom,
  }) => {
    await generate(page, 'Stop it #drill:slow')
    await expectStatus(cards(page), 'generating')
    await cards(page).getByRole('link').click()
    await page.waitForURL('**/images/*')
    await expect(page.locator('article')).toContainText(/Waited \d+:\d\d · rendering/)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expectStatus(page.locator('article'), 'failed')
    await expect(page.locator('article')).toContainText(
      'Cancelled. Nothing was made, nothing is charged.',
    )
    await expectCredits(page, { available: 100, held: 0 })
    expect((await darkroom.ledger(person.email)).at(-1)?.kind).toBe('released')
  })
})

test('a new one is bought only by its own press, and the prompt stays as it is', async ({
  page,
  person,
  darkroom,
}) => {
  await generate(page, 'Perhaps lost #drill:lost-answer')
  await expectStatus(cards(page), 'unresolved')
  await promptBox(page).fill('Something else')
  await expect(cards(page)).toContainText('This one may still arrive.')
  expect(await darkroom.ledger(person.email)).toHaveLength(2)
  await page.getByRole('button', { name: 'Start a new one: 4 credits, 92 left' }).click()
  await expect(cards(page)).toHaveCount(2)
  await expect(promptBox(page)).toHaveValue('Something else')
  await expectCredits(page, { available: 92, held: 8 })
})

test('the tab says how many are under way, on every page', async ({ page, person }) => {
  expect(person.email).toContain('@')
  await generate(page, 'Behind another tab #drill:slow')
  await expect(page).toHaveTitle(/^\(1\) Studio/)
  await page.getByRole('link', { name: 'Credits', exact: true }).click()
  await expect(page).toHaveTitle(/^\(1\) Credits/)
})

test('earlier prompts are found, fill the prompt and buy nothing', async ({
  page,
  person,
  darkroom,
}) => {
  await generate(page, 'A heron\n  in reeds')
  await expectStatus(cards(page), 'delivered')
  await promptBox(page).fill('')
  await page.getByRole('button', { name: 'Your prompts' }).click()
  await page.getByRole('searchbox').fill('reeds HERON')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /A heron/ })
    .click()
  await expect(promptBox(page)).toHaveValue('A heron\n  in reeds')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await darkroom.ledger(person.email)).toHaveLength(3)
})

test('a style is words at the end of the prompt, a preset is settings, and neither buys anything', async ({
  page,
  person,
  darkroom,
}) => {
  const before = await darkroom.ledger(person.email)
  const open = () => page.getByRole('button', { name: 'Styles and presets' }).click()
  await promptBox(page).fill('A fox')
  await open()
  await page.getByRole('button', { name: /^Oil painting/ }).click()
  await expect(promptBox(page)).toHaveValue('A fox, oil on canvas, visible brushstrokes')
  await expect(page.getByRole('button', { name: 'Styles and presets' })).toBeFocused()
  await open()
  const oil = page.getByRole('button', { name: /^Oil painting/ })
  await expect(oil).toHaveAttribute('aria-pressed', 'true')
  await oil.click()
  await expect(promptBox(page)).toHaveValue('A fox')

  const two = page.getByRole('radio', { name: '2 images' })
  await two.check()
  await open()
  await page.getByRole('textbox', { name: 'Name of the preset' }).fill('Pairs')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /^Pairs/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('radio', { name: '1 image' }).check()
  await page.reload()
  await open()
  await page.getByRole('button', { name: /^Pairs/ }).click()
  await expect(two).toBeChecked()
  await expect(promptBox(page)).toHaveValue('A fox')
  expect(await darkroom.ledger(person.email)).toEqual(before)
})

test('? opens the list of keys, and is a letter where text is written', async ({ studio }) => {
  await studio.getByRole('button', { name: /A lighthouse in fog/ }).click()
  await expect(promptBox(studio)).toHaveValue(/^A lighthouse in fog/)
  await expect(promptBox(studio)).toBeFocused()
  await promptBox(studio).pressSequentially('?')
  await expect(studio.getByRole('dialog')).toHaveCount(0)
  await promptBox(studio).blur()
  await studio.keyboard.press('?')
  await expect(studio.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  const { violations } = await new AxeBuilder({ page: studio }).analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  await studio.keyboard.press('Escape')
  await expect(studio.getByRole('dialog')).toHaveCount(0)
  await studio.keyboard.press('/')
  await expect(promptBox(studio)).toBeFocused()
})

test('a variation and a seed fill the studio and press nothing', async ({
  page,
  person,
  darkroom,
}) => {
  await generate(page, 'To vary')
  await expectStatus(cards(page), 'delivered')
  await cards(page).getByRole('link').click()
  await page.getByRole('button', { name: 'Use seed' }).click()
  await page.waitForURL('**/studio')
  await expect(page.getByRole('radio', { name: 'Fixed' })).toBeChecked()
  await cards(page).getByRole('link').click()
  await page.getByRole('button', { name: 'Variation' }).click()
  await page.waitForURL('**/studio')
  await expect(promptBox(page)).toHaveValue('To vary')
  await expect(page.getByRole('radio', { name: 'Random' })).toBeChecked()
  expect(await darkroom.ledger(person.email)).toHaveLength(3)
})
