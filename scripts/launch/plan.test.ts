import { expect, test } from 'vitest'
import { EnvironmentError } from '@/lib/env'
import { planLaunch } from './plan'

const planOf = (source: Record<string, string>) =>
  planLaunch({ NODE_ENV: 'test', ...source }, 'production')

test('asks nothing of a caller who sets nothing', () => {
  const plan = planOf({})
  expect(plan.database).toBeUndefined()
  expect(plan.simulator).toEqual({ kind: 'ours', port: undefined })
  expect(plan.environment).toMatchObject({ PORT: 3000, APP_URL: 'http://localhost:3000' })
})

test('takes an empty variable for an absent one', () => {
  // As text: what opens a provider is a function, and another one each time.
  const empty = planOf({ DATABASE_URL: '', AUTH_SECRET: '', SIMULATOR_URL: '', PORT: '' })
  expect(JSON.stringify(empty)).toBe(JSON.stringify(planOf({})))
})

test('leaves the embedded database out when the caller has one', () => {
  const url = 'postgresql://app@db.example.com/darkroom'
  expect(planOf({ DATABASE_URL: url }).database).toEqual({ url, ownerUrl: url })
  const ownerUrl = 'postgresql://owner@db.example.com/darkroom'
  expect(planOf({ DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl }).database).toEqual({
    url,
    ownerUrl,
  })
})

test.each([
  [{}, true],
  [{ NODE_ENV: 'production' }, true],
  [{ DATABASE_URL: 'postgresql://db/x' }, true],
  [{ DATABASE_URL: 'postgresql://db/x', NODE_ENV: 'production' }, false],
])('with %j makes demo accounts: %s', (source, seeds) => {
  expect(planOf(source).seedsDemoAccounts).toBe(seeds)
})

test.each([
  ['off', {}, { kind: 'off' }],
  ['on', { SIMULATOR_URL: 'http://127.0.0.1:4000' }, { kind: 'ours', port: 4000 }],
  ['on', { SIMULATOR_URL: 'http://localhost' }, { kind: 'ours', port: 80 }],
  ['on', { SIMULATOR_URL: 'http://sim:4000' }, { kind: 'elsewhere', url: 'http://sim:4000' }],
])('plans the simulator %s with %j', (SIMULATOR, source, simulator) => {
  expect(planOf({ SIMULATOR, ...source }).simulator).toEqual(simulator)
})

test.each([
  ['PORT', '0'],
  ['DATABASE_URL', 'mysql://db/x'],
  ['DATABASE_OWNER_URL', 'db.example.com'],
  ['AUTH_SECRET', 'short'],
  ['SIMULATOR', 'maybe'],
  ['SIMULATOR_URL', 'sim:4000'],
])('refuses %s=%s by name', (name, value) => {
  const plan = () => planOf({ DATABASE_URL: 'postgresql://db/x', [name]: value })
  expect(plan).toThrow(EnvironmentError)
  expect(plan).toThrow(new RegExp(`^${name}: `))
})
