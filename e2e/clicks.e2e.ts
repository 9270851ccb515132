import type { Page } from '@playwright/test'
import {
  attemptIdOf,
  expect,
  expectStatus,
  generateButton,
  onlyAttempt,
  promptBox,
  test,
} from './fixtures'

// C71, C83, C85: however a hand or a keyboard hits the button, one intent is one attempt.
const accidents: readonly {
  readonly name: string
  readonly press: (page: Page) => Promise<void>
}[] = [
  { name: 'a double click', press: async (page) => generateButton(page).dblclick() },
  {
    name: 'a triple click',
    press: async (page) => generateButton(page).click({ clickCount: 3 }),
  },
  {
    name: 'three quick single clicks',
    press: async (page) => {
      const box = await generateButton(page).boundingBox()
      if (!box) throw new Error('the button is not on the page')
      for (let click = 0; click < 3; click += 1) {
        await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
      }
    },
  },
  {
    name: 'Ctrl+Enter and a click',
    press: async (page) => {
      const box = await generateButton(page).boundingBox()
      if (!box) throw new Error('the button is not on the page')
      await promptBox(page).press('Control+Enter')
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    },
  },
  {
    name: 'Ctrl+Enter five times',
    press: async (page) => {
      for (let time = 0; time < 5; time += 1) await promptBox(page).press('Control+Enter')
    },
  },
  {
    name: 'Enter held down on the button',
    press: async (page) => {
      await generateButton(page).focus()
      for (let repeat = 0; repeat < 10; repeat += 1) await page.keyboard.down('Enter')
      await page.keyboard.up('Enter')
    },
  },
]

for (const { name, press } of accidents) {
  test(`${name} is one attempt and one charge`, async ({ page, person, darkroom }) => {
    await promptBox(page).fill('Only once')
    await expect(generateButton(page)).toBeEnabled()
    await press(page)
    await expectStatus(onlyAttempt(page), 'delivered')
    await expect(onlyAttempt(page)).toHaveCount(1)
    expect(await darkroom.submissions(await attemptIdOf(onlyAttempt(page)))).toBe(1)
    expect((await darkroom.ledger(person.email)).map(({ kind }) => kind)).toEqual([
      'granted',
      'reserved',
      'settled',
    ])
  })
}

test('Ctrl+Enter while the same generation runs starts no second one', async ({
  page,
  person,
  darkroom,
}) => {
  await promptBox(page).fill('Running already #drill:slow')
  await promptBox(page).press('Control+Enter')
  await expectStatus(onlyAttempt(page), 'generating')
  await expect(page.getByRole('button', { name: /^Generate another: 4 credits/ })).toBeEnabled()
  for (let time = 0; time < 5; time += 1) await promptBox(page).press('Control+Enter')
  await page.reload()
  await expect(onlyAttempt(page)).toHaveCount(1)
  expect(await darkroom.ledger(person.email)).toHaveLength(2)
})

test('a deliberate second click buys another one, with its price on the button', async ({
  page,
  person,
  darkroom,
}) => {
  await promptBox(page).fill('Two of these #drill:slow')
  await page.getByRole('button', { name: /^Generate: 4 credits, 96 left/ }).click()
  await page.getByRole('button', { name: /^Generate another: 4 credits, 92 left/ }).click()
  await expect(onlyAttempt(page)).toHaveCount(2)
  expect((await darkroom.ledger(person.email)).map(({ kind }) => kind)).toEqual([
    'granted',
    'reserved',
    'reserved',
  ])
})

test('Enter is a new line and buys nothing', async ({ page, person, darkroom }) => {
  await promptBox(page).fill('first line')
  await promptBox(page).press('Enter')
  await promptBox(page).pressSequentially('second line')
  await expect(promptBox(page)).toHaveValue('first line\nsecond line')
  await expect(onlyAttempt(page)).toHaveCount(0)
  expect(await darkroom.ledger(person.email)).toHaveLength(1)
})

test('Enter that ends an input method’s composition buys nothing', async ({
  page,
  person,
  darkroom,
}) => {
  await promptBox(page).fill('写真')
  await promptBox(page).evaluate((box) => {
    const enter = { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true }
    // As browsers differ in saying that an input method has the key.
    for (const said of [{ isComposing: true }, { keyCode: 229 }]) {
      box.dispatchEvent(new KeyboardEvent('keydown', { ...enter, ...said }))
    }
  })
  await page.reload()
  await expect(promptBox(page)).toHaveValue('写真')
  await expect(onlyAttempt(page)).toHaveCount(0)
  expect(await darkroom.ledger(person.email)).toHaveLength(1)
})
