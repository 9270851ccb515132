import {
  attemptIdOf,
  expect,
  expectCredits,
  expectStatus,
  generate,
  generateButton,
  onlyAttempt,
  promptBox,
  test,
} from './fixtures'

test('a lost answer of the provider is unresolved: held, said, never sent again', async ({
  page,
  person,
  darkroom,
}) => {
  await generate(page, 'The answer gets lost #drill:lost-answer')
  const card = onlyAttempt(page)
  await expectStatus(card, 'unresolved')
  await expectCredits(page, { available: 96, held: 4 })
  await expect(card).toContainText('We sent it once and the answer got lost.')
  await expect(card).toContainText('4 credits are on hold')
  await expect(card).not.toContainText('not charged')
  await expect(card).not.toContainText(/failed/i)
  expect(await darkroom.submissions(await attemptIdOf(card))).toBe(1)
  expect((await darkroom.ledger(person.email)).map(({ kind }) => kind)).toEqual([
    'granted',
    'reserved',
  ])
})

test('a late success of a lost answer is delivered for the one charge', async ({
  page,
  person,
  darkroom,
}) => {
  await generate(page, 'Better late #drill:late-success')
  const card = onlyAttempt(page)
  await expectStatus(card, 'unresolved')
  await expectStatus(card, 'delivered')
  await expectCredits(page, { available: 96, held: 0 })
  expect(await darkroom.submissions(await attemptIdOf(card))).toBe(1)
  expect(await darkroom.ledger(person.email)).toHaveLength(3)
})

// C79: said on every failure, and true.
const failures = [
  { drill: 'fail', words: /could not make/ },
  { drill: 'reject', words: /did not accept the input/ },
  { drill: 'moderate', words: /content rules/ },
  { drill: 'moderate-late', words: /content rules/ },
] as const

for (const { drill, words } of failures) {
  test(`after “${drill}” the reason is given and nothing was charged`, async ({
    page,
    person,
    darkroom,
  }) => {
    await generate(page, `It goes wrong #drill:${drill}`)
    const card = onlyAttempt(page)
    await expectStatus(card, 'failed')
    await expect(card).toContainText(words)
    await expect(card).toContainText('You were not charged.')
    await expectCredits(page, { available: 100, held: 0 })
    await expect(promptBox(page)).toHaveValue(`It goes wrong #drill:${drill}`)
    expect((await darkroom.ledger(person.email)).map(({ kind }) => kind)).toEqual([
      'granted',
      'reserved',
      'released',
    ])
  })
}

test('without credits the button says why, and nothing is sent', async ({
  page,
  person,
  darkroom,
}) => {
  await darkroom.sql.query(
    `select post_entry(account_id, 'corrected', -97, null, 'test', 'test', 'Spent in a test')
     from user_identity where email = $1`,
    [person.email],
  )
  await page.reload()
  await expectCredits(page, { available: 3, held: 0 })
  await promptBox(page).fill('Too dear')
  await expect(generateButton(page)).toBeDisabled()
  await expect(page.getByText(/You have 3 credits; this needs 4/)).toBeVisible()
  await promptBox(page).press('Control+Enter')
  await expect(onlyAttempt(page)).toHaveCount(0)
})

test('credits that are gone since the page was loaded are refused without a call', async ({
  page,
  person,
  darkroom,
}) => {
  await promptBox(page).fill('Too late')
  await expect(generateButton(page)).toBeEnabled()
  await darkroom.sql.query(
    `select post_entry(account_id, 'corrected', -97, null, 'test', 'test', 'Spent in a test')
     from user_identity where email = $1`,
    [person.email],
  )
  const before = await submissionsInAll(darkroom.simulatorUrl)
  await page.getByRole('button', { name: /^Generate/ }).click()
  await expect(page.getByText(/this needs 4/).first()).toBeVisible()
  await expect(page.locator('article')).toHaveCount(0)
  expect(await submissionsInAll(darkroom.simulatorUrl)).toBe(before)
  await expect(promptBox(page)).toHaveValue('Too late')
})

async function submissionsInAll(simulatorUrl: string | undefined): Promise<number> {
  const answer = await fetch(`${simulatorUrl}/_/submissions`)
  return ((await answer.json()) as { count: number }).count
}
