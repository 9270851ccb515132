import {
  attemptIdOf,
  expect,
  expectCredits,
  expectStatus,
  generate,
  onlyAttempt,
  promptBox,
  signIn,
  test,
} from './fixtures'

// What happened elsewhere: in another tab, or while nobody was signed in.

test('a second tab shows the credits as they are, as soon as it is turned to', async ({
  studio: page,
}) => {
  const second = await page.context().newPage()
  await second.goto('/credits')
  await expectCredits(second, { available: 100, held: 0 })

  await generate(page, 'Seen from two tabs')
  await expectStatus(onlyAttempt(page), 'delivered')
  await second.bringToFront()
  // What a window that is turned to is told; a browser without windows tells it to nobody.
  await second.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expectCredits(second, { available: 96, held: 0 })
})

test('a session that ends meanwhile loses neither the attempt nor the draft', async ({
  page,
  person,
  darkroom,
}) => {
  await generate(page, 'Made across two sessions')
  const id = await attemptIdOf(onlyAttempt(page))
  await promptBox(page).fill('A draft for later')
  await darkroom.sql.query(
    `update session set created_at = created_at - interval '2 days',
            expires_at = now() - interval '1 second'
     where account_id = (select account_id from user_identity where email = $1)`,
    [person.email],
  )
  await page.goto('/credits')
  await expect(page).toHaveURL(/\/sign-in/)

  await signIn(page, person)
  await expect(promptBox(page)).toHaveValue('A draft for later')
  await expectStatus(page.locator(`article[data-attempt-id="${id}"]`), 'delivered')
  expect(await darkroom.submissions(id)).toBe(1)
})
