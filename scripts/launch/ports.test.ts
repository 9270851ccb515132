import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findFreePort, findPortProblem } from './ports'

let server: Server
let taken: number

beforeEach(async () => {
  taken = await findFreePort()
  server = createServer().listen(taken, '127.0.0.1')
  await once(server, 'listening')
})

afterEach(() => server.close())

test('names a port that is in use, whether asked of one address or of all', async () => {
  expect(await findPortProblem(taken, '127.0.0.1')).toMatch(`Port ${taken} is in use`)
  expect(await findPortProblem(taken)).toMatch(`Port ${taken} is in use`)
})

test('finds another port when the preferred one is in use', async () => {
  const port = await findFreePort(taken)
  expect(port).not.toBe(taken)
  expect(await findPortProblem(port)).toBeUndefined()
})

test('takes the preferred port when it is free', async () => {
  const free = await findFreePort()
  expect(await findFreePort(free)).toBe(free)
})

test('does without a preferred port beyond the last one', async () => {
  expect(await findFreePort(65_536)).toBeLessThan(65_536)
})

test('chooses none that a connection going out could take before it is used', async () => {
  const ports = await Promise.all(Array.from({ length: 40 }, () => findFreePort()))
  expect(Math.max(...ports)).toBeLessThan(32_768)
})
