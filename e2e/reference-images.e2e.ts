import { jpegBytes, pngBytes } from '@/test/images'
import { expect, expectStatus, generate, onlyAttempt, test } from './fixtures'

// A maker of pictures after others, spoken by the simulator.
const SIMULATOR = 'http://127.0.0.1:43817'

test.use({
  settings: {
    SIMULATOR: 'on',
    SIMULATOR_URL: SIMULATOR,
    OPENAI_API_KEY: 'a-key-of-a-test',
    OPENAI_BASE_URL: `${SIMULATOR}/openai/v1`,
    ALLOW_PRIVATE_RESULT_HOSTS: '1',
  },
})

const picture = (name: string, mimeType: string, buffer: Buffer) => ({ name, mimeType, buffer })

test('a picture is made after images that were chosen, and asking for it again names the same ones', async ({
  page,
  person,
  darkroom,
}) => {
  await page.getByRole('button', { name: /^Choose from \d+ models/ }).click()
  await page.getByRole('searchbox', { name: 'Search models' }).fill('openai')
  await page.getByRole('radio').and(page.locator('[value^="openai/"]')).first().click()

  const references = page.getByRole('group', { name: 'Reference images' })
  const choose = page.getByLabel('Choose reference images')
  await choose.setInputFiles([
    picture('red.png', 'image/png', await pngBytes('#a33')),
    picture('photo.jpg', 'image/jpeg', await jpegBytes()),
    picture('notes.txt', 'text/plain', Buffer.from('no picture')),
  ])
  await expect(references.getByRole('alert')).toContainText('notes.txt is not a PNG')
  await expect(references.getByRole('listitem').getByRole('img')).toHaveCount(2)
  await references.getByRole('button', { name: 'Remove reference image 1' }).click()
  await expect(references.getByRole('img')).toHaveCount(1)
  await page.reload()
  await expect(references.getByRole('img', { name: 'Reference image 1' })).toBeVisible()

  await generate(page, 'After a photograph')
  await expectStatus(onlyAttempt(page), 'delivered')
  const { rows } = await darkroom.sql.query<{ count: string; kept: string }>(
    `select jsonb_array_length(settings->'referenceImages') as count,
            (select count(*) from reference_image where account_id = attempt.account_id) as kept
     from attempt join user_identity using (account_id) where email = $1`,
    [person.email],
  )
  expect(rows).toEqual([{ count: 1, kept: '2' }])

  await onlyAttempt(page).getByRole('link').first().click()
  await page.getByRole('button', { name: 'Use as reference' }).click()
  await page.waitForURL('**/studio')
  await expect(references.getByRole('img')).toHaveCount(2)
  expect((await darkroom.ledger(person.email)).map(({ kind }) => kind)).toEqual([
    'granted',
    'reserved',
    'settled',
  ])
})
