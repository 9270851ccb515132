import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { EnvironmentError, parseEnvironment } from './env'

const least = {
  DATABASE_URL: 'postgresql://darkroom_app@127.0.0.1:5432/darkroom',
  AUTH_SECRET: 'x'.repeat(32),
}

const messageFor = (changed: Record<string, string | undefined>) => {
  try {
    parseEnvironment({ ...least, ...changed })
  } catch (error) {
    if (error instanceof EnvironmentError) return error.message
    throw error
  }
  return undefined
}

test('the least environment has every default', () => {
  expect(parseEnvironment({ ...least, PATH: '/usr/bin' })).toMatchObject({
    NODE_ENV: 'development',
    PORT: 3000,
    APP_URL: 'http://localhost:3000',
    DATA_DIR: resolve('.data'),
    SIGNUP_CREDITS: 100,
    SIMULATOR: 'on',
    WORKER: 'embedded',
    SUBMIT_TIMEOUT_MS: 20_000,
    LEASE_MS: 60_000,
  })
})

test.each([
  ['DATABASE_URL', undefined, 'is missing; expected a postgresql:// address'],
  ['DATABASE_URL', '', 'is missing; expected a postgresql:// address'],
  ['DATABASE_URL', 'mysql://127.0.0.1/x', 'expected a postgresql:// address'],
  ['AUTH_SECRET', undefined, 'is missing; expected at least 32 characters'],
  ['AUTH_SECRET', 'x'.repeat(31), 'expected at least 32 characters'],
  ['SIMULATOR_WEBHOOK_SECRET', 'short', 'expected at least 32 characters'],
  ['APP_URL', 'localhost:3000', 'expected an http:// or https:// address'],
  ['SIMULATOR_URL', 'file:///etc/passwd', 'expected an http:// or https:// address'],
  ['SIGNUP_CREDITS', '-1', 'expected a whole number from 0 to 1000000'],
  ['SIGNUP_CREDITS', '1.5', 'expected a whole number from 0 to 1000000'],
  ['ALERT_UNRESOLVED_AFTER', '5', 'expected off, or a time like 90s, 30m, 72h or 7d'],
  ['ALERT_HELD_CREDITS', 'all', 'expected off, or a whole number from 0 to 1000000000'],
  ['ALERT_WEBHOOK_URL', 'alerts', 'expected an http:// or https:// address'],
  ['ALERT_WEBHOOK_SECRET', 'short', 'expected at least 32 characters'],
  ['METRICS_TOKEN', 'short', 'expected at least 32 characters'],
  ['AUDIT_EVERY', 'daily', 'expected off, or a time like 90s, 30m, 72h or 7d'],
  ['APPROVAL_ABOVE', '-1', 'expected off, or a whole number from 0 to 1000000000'],
  ['APPROVAL_ABOVE', 'never', 'expected off, or a whole number from 0 to 1000000000'],
  ['SIGNUP_CREDITS', 'many', 'expected a whole number from 0 to 1000000'],
  ['WORKER_CONCURRENCY', '0', 'expected a whole number from 1 to 256'],
  ['SUBMIT_TIMEOUT_MS', '99', 'expected a whole number from 100 to 600000'],
  ['LEASE_MS', '900001', 'expected a whole number from 200 to 900000'],
  ['DAILY_ALLOWANCE', '-1', 'expected a whole number from 0 to 10000'],
  ['GUEST_ADDRESS_DAILY_CAP', '0', 'expected a whole number from 1 to 100000'],
  ['COMPENSATE_UNRESOLVED_AFTER', '0s', 'expected off, or a time like 90s, 30m, 72h or 7d'],
  ['COMPENSATE_UNRESOLVED_AFTER', '72', 'expected off, or a time like 90s, 30m, 72h or 7d'],
  ['DRAIN_MS', '-1', 'expected a whole number from 0 to 600000'],
  ['PORT', '0', 'PORT'],
  ['PORT', '65536', 'PORT'],
  ['SIMULATOR', 'yes', '"on"|"off"'],
  ['WORKER', 'none', '"embedded"|"external"'],
  ['NODE_ENV', 'staging', '"development"|"production"|"test"'],
  ['LOG_LEVEL', 'loud', '"silent"'],
])('a wrong %s of %j is named with what is expected', (name, value, words) => {
  const message = messageFor({ [name]: value })
  expect(message).toMatch(new RegExp(`^${name}: `))
  expect(message).toContain(words)
  expect(message?.split('\n')).toHaveLength(1)
})

test('every wrong variable has its own line, and no value is repeated', () => {
  const message = messageFor({ AUTH_SECRET: 'hunter2', PORT: 'x', SIMULATOR: 'maybe' })
  expect(message?.split('\n').map((line) => line.split(':')[0])).toEqual([
    'PORT',
    'AUTH_SECRET',
    'SIMULATOR',
  ])
  expect(message).not.toContain('hunter2')
})

test.each([
  ['20000', '20000', false],
  ['20001', '20000', false],
  ['19999', '20000', true],
])('a request of %s ms under a lease of %s ms is accepted: %s', (timeout, lease, accepted) => {
  const message = messageFor({ SUBMIT_TIMEOUT_MS: timeout, LEASE_MS: lease })
  expect(message === undefined).toBe(accepted)
  if (!accepted) expect(message).toMatch(/^SUBMIT_TIMEOUT_MS: expected less than LEASE_MS/)
})

test.each([
  ['off', undefined],
  ['90s', 90_000],
  ['30m', 1_800_000],
  ['72h', 259_200_000],
  ['7d', 604_800_000],
])('unresolved attempts are compensated after %s: %s ms', (written, ms) => {
  const environment = parseEnvironment({ ...least, COMPENSATE_UNRESOLVED_AFTER: written })
  expect(environment.COMPENSATE_UNRESOLVED_AFTER).toBe(ms)
})

test('the address has no slash at its end, and follows the port when it is not given', () => {
  expect(parseEnvironment({ ...least, APP_URL: 'https://x.example//' }).APP_URL).toBe(
    'https://x.example',
  )
  expect(parseEnvironment({ ...least, PORT: '8080' }).APP_URL).toBe('http://localhost:8080')
})

test('nobody can change the environment after it was read', () => {
  expect(Object.isFrozen(parseEnvironment(least))).toBe(true)
})

test('alerts are e-mailed to an address, by a mail server', () => {
  const mail = { SMTP_URL: 'smtp://127.0.0.1', MAIL_FROM: 'darkroom@example.com' }
  expect(messageFor({ ...mail, ALERT_EMAIL: 'operators' })).toBe(
    'ALERT_EMAIL: expected an address like operators@example.com',
  )
  expect(messageFor({ ...mail, ALERT_EMAIL: 'operators@example.com' })).toBeUndefined()
  expect(messageFor({ ALERT_EMAIL: 'operators@example.com' })).toBe(
    'SMTP_URL: is missing; expected too, because ALERT_EMAIL is set',
  )
})

test.each<readonly [Readonly<Record<string, string>>, string | undefined]>([
  [{ STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' }, undefined],
  [{ STRIPE_SECRET_KEY: 'rk_live_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' }, undefined],
  [
    { STRIPE_SECRET_KEY: 'sk_test_x' },
    'STRIPE_WEBHOOK_SECRET: is missing; expected too, because STRIPE_SECRET_KEY is set',
  ],
  [
    { STRIPE_WEBHOOK_SECRET: 'whsec_x' },
    'STRIPE_SECRET_KEY: is missing; expected too, because STRIPE_WEBHOOK_SECRET is set',
  ],
  [
    { STRIPE_SECRET_KEY: 'pk_live_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' },
    'STRIPE_SECRET_KEY: expected a key like sk_test_…, sk_live_… or rk_live_…',
  ],
  [
    { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'x' },
    'STRIPE_WEBHOOK_SECRET: expected the secret of a webhook, whsec_…',
  ],
])('Stripe sells with its key and the secret of its webhook: %j', (source, message) => {
  expect(messageFor(source)).toBe(message)
})

test.each([
  ['https://stripe.example.com', true],
  ['http://127.0.0.1:4242', true],
  ['http://localhost:4242', true],
  ['http://stripe.example.com', false],
  ['http://127.0.0.1.example.com', false],
  ['ftp://127.0.0.1', false],
])('Stripe’s key is sent to %s: %s', (STRIPE_API_URL, isSent) => {
  expect(messageFor({ STRIPE_API_URL }) === undefined).toBe(isSent)
})
