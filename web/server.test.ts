import { setTimeout as pause } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { afterEach, expect, test } from 'vitest'
import { createWebServer, PortTakenError, type WebServerParts } from './server'

const agents: Agent[] = []
afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.destroy()
})

/** A server whose pages answer when they are told to, and a browser that keeps its connection. */
async function started() {
  const faults: unknown[] = []
  let answer: () => void = () => undefined
  const answered = new Promise<void>((resolve) => (answer = resolve))
  let asked: () => void = () => undefined
  const arrived = new Promise<void>((resolve) => (asked = resolve))
  const pages: WebServerParts['pages'] = async (incoming, response) => {
    if (incoming.url === '/slow') {
      asked()
      await answered
    }
    if (incoming.url === '/broken') throw new Error('broken')
    response.end('page')
  }
  const server = createWebServer({
    gate: () => true,
    assets: (_request, _response, otherwise) => otherwise(),
    pages,
    onFault: (error) => faults.push(error),
  })
  const port = await server.listen(0)
  const dispatcher = new Agent({ keepAliveTimeout: 60_000 })
  agents.push(dispatcher)
  const ask = (path: string) => request(`http://127.0.0.1:${port}${path}`, { dispatcher })
  return { server, ask, answer: () => answer(), arrived, faults }
}

test('whoever asked before it stops is answered, whoever asks later is not', async () => {
  const { server, ask, answer, arrived } = await started()
  // A connection that is kept, and has nothing to ask, holds up nobody.
  await (await ask('/')).body.text()
  const asked = ask('/slow')
  await arrived
  const drained = server.drain(60_000)
  await expect(ask('/')).rejects.toThrow()

  answer()
  const answered = await asked
  expect(await answered.body.text()).toBe('page')
  expect(await drained).toBe(true)
})

test('what takes longer than it may is cut off', async () => {
  const { server, ask, arrived } = await started()
  const asked = ask('/slow')
  await arrived
  expect(await server.drain(20)).toBe(false)
  await expect(asked).rejects.toThrow()
})

test('a fault of the pages is told and answered, and ends nothing', async () => {
  const { ask, faults } = await started()
  const { statusCode, body } = await ask('/broken')
  expect([statusCode, await body.text()]).toEqual([500, 'A fault of ours.\n'])
  expect(faults).toEqual([new Error('broken')])
  expect(await (await ask('/')).body.text()).toBe('page')
})

test('a port that is taken is an error, not silence', async () => {
  const { server } = await started()
  const other = createWebServer({
    gate: () => true,
    assets: () => undefined,
    pages: () => Promise.resolve(),
    onFault: () => undefined,
  })
  const port = await other.listen(0)
  const third = createWebServer({
    gate: () => true,
    assets: () => undefined,
    pages: () => Promise.resolve(),
    onFault: () => undefined,
  })
  await expect(third.listen(port)).rejects.toThrow(PortTakenError)
  await Promise.all([server.drain(10), other.drain(10), pause(1)])
})
