import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import {
  signatureOf,
  startStripeStandIn,
  STRIPE_SECRET_KEY,
  STRIPE_WEBHOOK_SECRET,
  type SignedEvent,
  type StandInSession,
} from '@/test/stripe-stand-in'
import { expectAccessible } from './accessible'
import { expect, expectCredits, signIn, test } from './fixtures'
import type { Installation } from './installation'

// Credits for money, through a Stripe that answers on this machine.

const stripe = await startStripeStandIn()

test.use({
  settings: {
    STRIPE_SECRET_KEY,
    STRIPE_WEBHOOK_SECRET,
    STRIPE_API_URL: stripe.url,
    SIGNUP_CREDITS: '0',
  },
})
test.afterAll(() => stripe.close())

const send = async (darkroom: Installation, { body, headers }: SignedEvent) =>
  (await fetch(`${darkroom.url}/api/payments/stripe`, { method: 'POST', headers, body })).status

const smallest = (page: Page) => page.getByRole('button', { name: 'Buy for €5.00' })
const lines = (page: Page, word: string) =>
  page.getByRole('table', { name: 'Statement' }).getByText(word, { exact: true })

/** Presses once, and is on Stripe's page. */
async function begin(page: Page): Promise<StandInSession> {
  await page.goto('/credits')
  await smallest(page).click()
  await page.waitForURL(`${stripe.url}/pay/*`)
  const session = stripe.sessions.get(page.url().split('/').at(-1) ?? '')
  if (!session) throw new Error('there is no session')
  return session
}

async function payAndReturn(page: Page, button: 'Pay' | 'Pay by transfer'): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.waitForURL('**/credits?purchase=*')
}

test('a pack is paid, told twice, and granted once', async ({ page, darkroom, person }) => {
  const session = await begin(page)
  // Coming back proves nothing, and a look that fails says nothing.
  stripe.fault('fail')
  await payAndReturn(page, 'Pay')
  await expect(page.getByText('We are waiting for the payment to be confirmed')).toBeVisible()
  // By now the header has asked, which it goes on doing only while something is open.
  await page.waitForLoadState('networkidle')
  await expectCredits(page, { available: 0, held: 0 })
  const event = stripe.sessionEvent('completed', session)
  expect([await send(darkroom, event), await send(darkroom, event)]).toEqual([202, 202])
  await expect(page.getByText('Paid: 100 credits were added to your account.')).toBeVisible()
  await expectCredits(page, { available: 100, held: 0 })
  await expect(lines(page, 'Bought')).toHaveCount(1)
  expect(await darkroom.ledger(person.email)).toEqual([{ kind: 'purchased', amount: 100 }])
  await expectAccessible(page)
  const file = await page.request.get('/api/statement')
  expect(await file.text()).toContain('Bought,100,100')
})

test('a payment whose event is lost is found when its buyer comes back', async ({
  studio: page,
}) => {
  await begin(page)
  await payAndReturn(page, 'Pay')
  await expect(page.getByText('Paid: 100 credits were added to your account.')).toBeVisible()
  await page.reload()
  await expect(lines(page, 'Bought')).toHaveCount(1)
})

test('a transfer that fails adds nothing, and says so', async ({ studio: page, darkroom }) => {
  const session = await begin(page)
  await payAndReturn(page, 'Pay by transfer')
  await expect(page.getByText('With some ways to pay this takes days')).toBeVisible()
  stripe.finish(session, 'failed')
  expect(await send(darkroom, stripe.sessionEvent('async_payment_failed', session))).toBe(202)
  await expect(page.getByText('The payment failed. No credits were added.')).toBeVisible()
  await expectCredits(page, { available: 0, held: 0 })
})

test('whoever leaves Stripe’s page can go on where they were', async ({ studio: page }) => {
  const session = await begin(page)
  await page.getByRole('link', { name: 'Back' }).click()
  await page.waitForURL('**/credits?purchase=*')
  await page.getByRole('button', { name: 'Go on to pay' }).first().click()
  await page.waitForURL(`${stripe.url}/pay/${session.id}`)
})

test('an answer of Stripe’s that is lost is asked for again, and stays one session', async ({
  page,
  darkroom,
  person,
}) => {
  await page.goto('/credits')
  stripe.fault('lose', 'lose', 'lose', 'lose')
  await smallest(page).click()
  await expect(page.getByText('Stripe did not answer, and nothing was paid.')).toBeVisible()
  await smallest(page).click()
  await page.waitForURL(`${stripe.url}/pay/*`)
  const { rows } = await darkroom.sql.query<{ id: string }>(
    'select p.id from purchase p join user_identity i using (account_id) where i.email = $1',
    [person.email],
  )
  expect(rows).toHaveLength(1)
  expect(page.url()).toBe(`${stripe.url}/pay/${stripe.sessionOf(rows[0]?.id ?? '').id}`)
})

test('a refund takes back what is there, and an admin sees what is owed', async ({
  page,
  darkroom,
  person,
  browser,
}) => {
  const session = await begin(page)
  await payAndReturn(page, 'Pay')
  await expectCredits(page, { available: 100, held: 0 })
  await darkroom.sql.query(
    `select post_entry(account_id, 'corrected', -70, null, $2, 'test', 'Spent in a test')
     from user_identity where email = $1`,
    [person.email, randomUUID()],
  )
  expect(await send(darkroom, stripe.refundEvent(session, 500))).toBe(202)
  await page.goto('/credits')
  await expect(lines(page, 'Refunded')).toHaveCount(1)
  await expectCredits(page, { available: 0, held: 0 })

  if (!darkroom.credentials) throw new Error('there is no demo admin')
  const admin = await (await browser.newContext({ baseURL: darkroom.url })).newPage()
  await signIn(admin, darkroom.credentials.admin)
  await admin.goto('/admin')
  await admin.getByRole('link', { name: /Payments/ }).click()
  await admin.waitForURL('**/admin/ledger')
  const owed = admin.getByRole('region', { name: 'Payments that need a person' })
  await expect(owed.getByText('70 credits owed')).toBeVisible()
  await expectAccessible(admin)
  await owed.getByRole('link').first().click()
  const purchases = admin.getByRole('region', { name: 'Purchases' })
  await expect(purchases.getByText('100 credits for €5.00, 30 credits taken back')).toBeVisible()
})

test('guests are told to sign up, and what is forged or too large changes nothing', async ({
  page,
  darkroom,
}) => {
  await page.goto('/studio')
  await page.goto('/credits')
  const packs = page.getByRole('region', { name: 'Buy credits' })
  await expect(packs.getByText('Create an account to buy credits')).toBeVisible()
  await expect(packs.getByRole('button')).toHaveCount(0)

  const body = JSON.stringify({ id: 'evt_forged', type: 'checkout.session.completed' })
  const signed = (by: string) => ({ 'stripe-signature': signatureOf(body, { secret: by }) })
  expect(await send(darkroom, { id: '', body, headers: {} })).toBe(401)
  expect(await send(darkroom, { id: '', body, headers: signed('whsec_guessed') })).toBe(401)
  const large = 'x'.repeat(300_000)
  expect(await send(darkroom, { id: '', body: large, headers: {} })).toBe(413)
})
