import { get, type IncomingMessage } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createGate } from './gate'
import { createWebServer } from './server'

/** What the server behind this gate answers to a path that is sent as it is. */
async function ask(appUrl: string, path: string) {
  const server = createWebServer({
    gate: createGate(appUrl),
    assets: (_request, _response, otherwise) => otherwise(),
    pages: (_request, response) => Promise.resolve(void response.end('page')),
    onFault: () => undefined,
  })
  const port = await server.listen(0)
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    // A client that changes nothing about the path, as most do.
    get({ host: '127.0.0.1', port, path, agent: false }, resolve).on('error', reject)
  })
  const text = await textOf(answer)
  const { statusCode, headers } = answer
  await server.drain(0)
  return { statusCode, headers, text }
}

const HTTP = 'http://localhost:3000'

test.each([
  '/s/%ED%A0%80',
  '/images/%ff',
  '/%',
  '/%zz',
  '/s/%00',
  '//evil.example/',
  '/\\evil',
  '/a\\b',
])('%s is no address, and gets no further', async (path) => {
  const { statusCode, headers, text } = await ask(HTTP, path)
  expect(statusCode).toBe(400)
  expect(text).not.toBe('page')
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining("default-src 'none'") as string,
  })
})

test.each([
  '/',
  '/s/%E5%86%99%E7%9C%9F',
  '/images?q=%ff%',
  '/images?q=//a\\b'.replace('\\', '%5C'),
])('%s is an address', async (path) => {
  const { statusCode, text } = await ask(HTTP, path)
  expect({ statusCode, text }).toEqual({ statusCode: 200, text: 'page' })
})

test('every answer of an encrypted address asks browsers to come back encrypted', async () => {
  for (const path of ['/', '/%']) {
    const { headers } = await ask('https://darkroom.example', path)
    expect(headers['strict-transport-security']).toBe('max-age=63072000; includeSubDomains')
    expect((await ask(HTTP, path)).headers['strict-transport-security']).toBeUndefined()
  }
})
