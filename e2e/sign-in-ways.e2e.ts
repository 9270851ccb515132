import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { startOidcIssuer } from '@/test/oidc-issuer'
import { startSmtpServer } from '@/test/smtp-server'
import { expectAccessible } from './accessible'
import {
  expect,
  expectStatus,
  generate,
  onlyAttempt,
  promptBox,
  signIn,
  signUp,
  test,
} from './fixtures'

// Ways in besides a password: links in e-mails, and an issuer of OpenID Connect, each over real sockets.

const smtp = await startSmtpServer()
const issuer = await startOidcIssuer()

test.use({
  settings: {
    SMTP_URL: smtp.url,
    MAIL_FROM: 'Darkroom <darkroom@darkroom.example>',
    OIDC_ISSUER: issuer.issuer,
    OIDC_CLIENT_ID: issuer.client.id,
    OIDC_CLIENT_SECRET: issuer.client.secret,
    OIDC_NAME: 'Example ID',
    RATE_LIMIT: 'on',
    DAILY_ALLOWANCE: '2',
  },
})
test.afterAll(async () => {
  await smtp.close()
  await issuer.close()
})

/** The address in the newest mail to somebody. */
async function linkMailedTo(email: string): Promise<string> {
  const mails = () => smtp.received.filter(({ to }) => to === email)
  await expect.poll(() => mails().length).toBeGreaterThan(0)
  const link = /https?:\/\/\S+/.exec(mails().at(-1)?.text ?? '')?.[0]
  if (link === undefined) throw new Error('the mail has no link')
  return link
}

async function ask(page: Page, path: string, email: string): Promise<void> {
  await page.goto(path)
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByText(`If there is an account with ${email}`)).toBeVisible()
}

const through = (page: Page) => page.getByRole('button', { name: 'Continue with Example ID' })

test('a link in an e-mail signs in once, by a button, and says what it takes away', async ({
  page,
  person,
}) => {
  await page.context().clearCookies()
  await page.goto('/sign-in')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'E-mail me a link instead' }).click()
  await page.waitForURL('**/sign-in/link')
  await expectAccessible(page)
  await ask(page, '/sign-in/link', person.email)
  const link = await linkMailedTo(person.email)
  // Opened by a scanner first: nothing is used up.
  expect((await page.request.get(link)).status()).toBe(200)
  await page.goto(link)
  await expect(page.getByText(/shows for the first time that the address is yours/)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Sign in now' }).click()
  await page.waitForURL('**/studio')
  await expect(promptBox(page)).toBeVisible()
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'This link is over' })).toBeVisible()
  await page.goto('/account')
  await expect(page.getByText('It is known to be yours.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Set a password' })).toBeVisible()
})

test('a forgotten password is chosen anew by a link, and every session ends with it', async ({
  page,
  person,
  browser,
  darkroom,
}) => {
  const elsewhere = await browser.newContext({ baseURL: darkroom.url })
  const other = await elsewhere.newPage()
  await other.goto('/sign-in')
  await other.getByRole('link', { name: 'Forgot your password?' }).click()
  await other.waitForURL('**/forgot-password')
  await expectAccessible(other)
  await ask(other, '/forgot-password', person.email)
  await other.goto(await linkMailedTo(person.email))
  await expectAccessible(other)
  const password = randomUUID()
  await other.getByLabel('New password').fill('short')
  await other.getByRole('button', { name: 'Set password' }).click()
  await expect(other.getByText('Choose a password of 10 to 200 characters.')).toBeVisible()
  await other.getByLabel('New password').fill(password)
  await other.getByRole('button', { name: 'Set password' }).click()
  await expect(other.getByText('Your password is set. Sign in with it.')).toBeVisible()
  await page.goto('/credits')
  await expect(page).toHaveURL(/\/sign-in/)
  await signIn(other, { ...person, password })
  await elsewhere.close()
})

test('somebody without an account is told the same, and is sent nothing', async ({ page }) => {
  const email = `${randomUUID()}@example.com`
  await ask(page, '/forgot-password', email)
  await ask(page, '/sign-in/link', email)
  expect(smtp.received.filter(({ to }) => to === email)).toEqual([])
})

test('too many tries to sign in have to wait', async ({ page }) => {
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(`${randomUUID()}@example.com`)
  for (let tries = 0; tries < 11; tries += 1) {
    await page.getByLabel('Password', { exact: true }).fill('wrong password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(
      page.getByText(tries < 10 ? /not right/ : /Too many tries. Try again in 15 minutes/),
    ).toBeVisible()
  }
})

test('a guest who comes back from an issuer keeps what was made', async ({ page }) => {
  await page.goto('/studio')
  await generate(page, 'Made as a guest')
  await expectStatus(onlyAttempt(page), 'delivered')
  await page.goto('/account')
  await expect(page.getByText('1 attempt is kept in this browser.')).toBeVisible()
  await page.goto('/sign-up')
  await expect(page.getByText(/You keep what you made here: 1 attempt/)).toBeVisible()
  await expectAccessible(page)
  const email = `${randomUUID()}@example.com`
  issuer.letIn({ sub: randomUUID(), email, email_verified: true, name: 'Grace Hopper' })
  await through(page).click()
  await page.waitForURL('**/studio')
  await expect(onlyAttempt(page)).toHaveCount(1)
  await page.goto('/account')
  await expect(page.getByText(email)).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Grace Hopper')
  await page.getByRole('button', { name: 'Disconnect Example ID' }).click()
  await expect(
    page.getByText('It is your only way to sign in. Set a password first.'),
  ).toBeVisible()
})

test('an address that nobody proved is not joined, and is connected by its owner', async ({
  page,
  person,
}) => {
  await page.context().clearCookies()
  issuer.letIn({ sub: randomUUID(), email: person.email, email_verified: true })
  await page.goto('/sign-in')
  await through(page).click()
  await expect(page.getByText(/nobody has shown yet that it is theirs/)).toBeVisible()
  await expectAccessible(page)
  await signIn(page, person)
  await page.goto('/account')
  await page.getByRole('button', { name: 'Connect Example ID' }).click()
  await expect(page.getByRole('button', { name: 'Disconnect Example ID' })).toBeVisible()
  await page.context().clearCookies()
  await page.goto('/sign-in')
  await through(page).click()
  await page.waitForURL('**/studio')
  await page.goto('/account')
  await expect(page.getByText(person.email)).toBeVisible()
})

test('an issuer that verified no address lets nobody new in', async ({ page }) => {
  issuer.letIn({ sub: randomUUID(), email: `${randomUUID()}@example.com`, email_verified: false })
  await page.goto('/sign-in')
  await through(page).click()
  await expect(page.getByText(/did not tell us an address that it verified/)).toBeVisible()
  await signUp(page)
})
