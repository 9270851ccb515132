import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { beforeAll, expect, test } from 'vitest'
import { compressFiles } from '@/scripts/launch/compress-files'
import { serveAssets } from './assets'
import { createWebServer } from './server'

const SCRIPT = 'const darkroom = 1;'.repeat(200)
let base: string

beforeAll(async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'darkroom-assets-')), 'static')
  mkdirSync(join(folder, 'chunks'), { recursive: true })
  writeFileSync(join(folder, 'chunks', 'a.js'), SCRIPT)
  writeFileSync(join(folder, 'font.woff2'), 'font')
  writeFileSync(join(folder, '..', 'secret.txt'), 'secret')
  await compressFiles(folder)
  const server = createWebServer({
    gate: () => true,
    assets: serveAssets(folder),
    pages: async (incoming, response) => {
      response.statusCode = 404
      response.end(`no page ${incoming.url}`)
      return Promise.resolve()
    },
    onFault: () => undefined,
  })
  base = `http://127.0.0.1:${await server.listen(0)}`
  return () => server.drain(0)
})

async function get(path: string, encoding = 'identity') {
  const { statusCode, headers, body } = await request(base + path, {
    headers: { 'accept-encoding': encoding },
  })
  return { statusCode, headers, bytes: Buffer.from(await body.arrayBuffer()) }
}

test.each([
  ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
  ['gzip, deflate', 'gzip', gunzipSync],
  ['identity', undefined, (bytes: Buffer) => bytes],
] as const)('a browser that reads %s is sent %s', async (accepted, encoding, unpack) => {
  const { statusCode, headers, bytes } = await get('/_next/static/chunks/a.js', accepted)
  expect(statusCode).toBe(200)
  expect(headers).toMatchObject({
    'content-type': expect.stringContaining('text/javascript') as string,
    'cache-control': 'public,max-age=31536000,immutable',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  })
  expect(headers['content-encoding']).toBe(encoding)
  expect(headers['vary']).toBe('Accept-Encoding')
  expect(unpack(bytes).toString()).toBe(SCRIPT)
})

test('what is compressed already is sent as it is', async () => {
  const { headers, bytes } = await get('/_next/static/font.woff2', 'br')
  expect(headers['content-encoding']).toBeUndefined()
  expect(bytes.toString()).toBe('font')
})

test.each([
  '/_next/static/gone.js',
  '/_next/static/chunks/..%2f..%2fsecret.txt',
  '/_next/static/..%2fsecret.txt',
  '/_next/static',
  '/studio',
])('%s is no file of the build: the app answers, asked as it was', async (path) => {
  const { statusCode, bytes } = await get(path, 'br')
  expect(statusCode).toBe(404)
  expect(bytes.toString()).toBe(`no page ${path}`)
})
