import { expect, test } from 'vitest'
import { listenAddress, parseSimulatorEnvironment } from './env'

test('nothing configured is a working simulator on loopback', () => {
  const env = parseSimulatorEnvironment({})
  expect(env).toMatchObject({
    SIMULATOR_URL: 'http://127.0.0.1:3001',
    SIMULATOR_CONCURRENCY: 2,
  })
  expect(env.SIMULATOR_WEBHOOK_SECRET).toBeUndefined()
})

test.each([
  ['SIMULATOR_URL', 'localhost:3001'],
  ['SIMULATOR_LATENCY_MS', 'soon'],
  ['SIMULATOR_SLOW_MS', '-1'],
  ['SIMULATOR_CONCURRENCY', '0'],
  ['SIMULATOR_WEBHOOK_SECRET', 'short'],
])('a wrong %s is named, and its value is not repeated', (name, value) => {
  expect(() => parseSimulatorEnvironment({ [name]: value })).toThrow(
    new RegExp(`^${name}: expected`),
  )
  expect(() => parseSimulatorEnvironment({ [name]: value })).not.toThrow(value)
})

test.each([
  ['http://127.0.0.1:3001', '127.0.0.1', 3_001],
  ['http://localhost:4000', '127.0.0.1', 4_000],
  ['http://[::1]:4000', '::1', 4_000],
  ['http://simulator', '0.0.0.0', 80],
])('%s listens on %s, port %i', (url, host, port) => {
  expect(listenAddress(url)).toEqual({ host, port })
})
