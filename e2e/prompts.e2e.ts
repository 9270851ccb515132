import {
  attemptIdOf,
  expect,
  expectStatus,
  generateButton,
  onlyAttempt,
  promptBox,
  test,
} from './fixtures'

// Kept exactly as typed, from the box to the database and back to the page.
const prompts = [
  ['emoji and joined emoji', 'a family 👩‍👩‍👧 at the sea 🌊'],
  ['right-to-left text', 'منظر طبيعي للجبال عند الغروب'],
  ['Chinese, Japanese and Korean', '山水畫、夕焼けの海、한옥 마을'],
  ['decomposed accents', 'cafe\u0301 de nuit'],
  ['white space at both ends', '  two spaces, a tab\t, and a line\nbreak  '],
  ['markup and path characters', '<b>"/\\:*?<>|../</b> & %00'],
] as const

for (const [name, prompt] of prompts) {
  test(`a prompt with ${name} is kept exactly`, async ({ studio: page, darkroom }) => {
    await promptBox(page).fill(prompt)
    await page.getByRole('button', { name: /^Generate/ }).click()
    await expectStatus(onlyAttempt(page), 'delivered')
    const id = await attemptIdOf(onlyAttempt(page))
    const { rows } = await darkroom.sql.query<{ prompt: string }>(
      'select prompt from attempt where id = $1',
      [id],
    )
    expect(rows[0]?.prompt).toBe(prompt)
    const detail = await page.request.get(`/api/attempts/${id}`)
    expect(((await detail.json()) as { attempt: { prompt: string } }).attempt.prompt).toBe(prompt)
  })
}

const refused = [
  ['a NUL character', 'a\u0000b', /NUL/],
  ['a lone surrogate', 'a\ud83db', /lone surrogate/],
  ['100,000 characters', 'x'.repeat(100_000), /too long/],
  ['nothing but white space', '   \n ', /Write a prompt/],
] as const

for (const [name, prompt, words] of refused) {
  test(`a prompt with ${name} is refused by name before anything is reserved`, async ({
    page,
    person,
    darkroom,
  }) => {
    // Before that nothing is typed, and a paste would go nowhere.
    await expect(promptBox(page)).toBeEditable()
    await promptBox(page).evaluate((element, text) => {
      // As a paste does: `fill` would clean the text on its way.
      Reflect.set(HTMLTextAreaElement.prototype, 'value', text, element)
      element.dispatchEvent(new Event('input', { bubbles: true }))
    }, prompt)
    await expect(generateButton(page)).toBeDisabled()
    await expect(page.getByText(words).first()).toBeVisible()
    await expect(onlyAttempt(page)).toHaveCount(0)
    expect(await darkroom.ledger(person.email)).toHaveLength(1)
  })
}
