import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot } from '@/scripts/launch/root'
import { expect, test } from './fixtures'

const filesUnder = (folder: string, name: RegExp): readonly string[] =>
  readdirSync(inRoot(folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => name.test(path) && statSync(inRoot(path)).isFile())

const read = (path: string) => readFileSync(inRoot(path), 'utf8')

/** All that any browser is ever sent as a file. */
const sent = () =>
  ['.next/static', 'public']
    .flatMap((folder) => (existsSync(inRoot(folder)) ? filesUnder(folder, /\.\w+$/) : []))
    .filter((path) => /\.(js|css|json|txt|html|svg|map)$/.test(path))
    .map((path) => ({ path, text: read(path) }))

const SERVER_FOLDERS = ['auth', 'db', 'mail', 'providers', 'storage', 'trace', 'use-cases', 'watch']
const serverFiles = () => [
  'lib/env.ts',
  'lib/deps.ts',
  ...SERVER_FOLDERS.flatMap((folder) => filesUnder(`lib/${folder}`, /\.ts$/)).filter(
    (path) => !/\.test\.ts$|lib\/auth\/client\.ts$|\/generated\//.test(path),
  ),
]

// Long enough to be nobody else's by chance.
const TELLING_LITERAL = /'([^'\n\\]*[a-z][^'\n\\]{28,})'|`([^`\\$]{28,})`/g

const isIn = (files: ReturnType<typeof sent>, text: string) =>
  files.filter((file) => file.text.includes(text)).map(({ path }) => path)

test.beforeAll(({ darkroom }) => {
  // Only an installation makes sure that there is a build of these sources.
  expect(darkroom.url).not.toBe('')
})

test('no variable of the environment is named in what browsers are sent', () => {
  const files = sent()
  expect(files.length).toBeGreaterThan(20)
  const named = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|KEY_ID|SECRET|TOKEN|URL|PASSWORD)\b/g
  const sources = ['lib/env.ts', ...filesUnder('lib/providers', /kind\.ts$/)].map(read)
  const names = new Set(sources.flatMap((source) => source.match(named) ?? []))
  for (const name of ['AUTH_SECRET', 'DATABASE_URL', 'OPENAI_API_KEY', 'METRICS_TOKEN']) {
    expect(names).toContain(name)
  }
  for (const name of names) expect(isIn(files, name), name).toEqual([])
})

test('no secret of this installation or of who built it is in what browsers are sent', ({
  darkroom,
}) => {
  const files = sent()
  const isSecret = ([name]: readonly [string, unknown]) =>
    /KEY|SECRET|TOKEN|PASSWORD|DATABASE|CREDENTIAL/.test(name)
  const values = [
    ...Object.entries(process.env).filter(isSecret),
    ['demo admin', darkroom.credentials?.admin.password],
    ['database', new URL(darkroom.databaseUrl).password],
    ['database owner', new URL(darkroom.ownerUrl).password],
  ].filter(([, value]) => value !== undefined && value.length >= 8)
  expect(values.length).toBeGreaterThan(2)
  for (const [name, value] of values) expect(isIn(files, value ?? ''), name).toEqual([])
})

test('nothing of a module of the server is in what browsers are sent', () => {
  const files = sent()
  const shared = ['lib/domain', 'lib/web', 'components', 'messages', 'app']
    .flatMap((folder) => filesUnder(folder, /\.(tsx?|json)$/))
    .map(read)
    .join('\n')
  const literals = serverFiles().flatMap((path) =>
    [...read(path).matchAll(TELLING_LITERAL)]
      .map((match) => ({ path, text: match[1] ?? match[2] ?? '' }))
      .filter(({ text }) => !text.startsWith('@/') && !shared.includes(text)),
  )
  expect(literals.length).toBeGreaterThan(200)
  const found = literals.filter(({ text }) => files.some((file) => file.text.includes(text)))
  expect(found).toEqual([])
  for (const marker of ['submit_attempt(', 'node:crypto', 'argon2', 'postgresql://']) {
    expect(isIn(files, marker), marker).toEqual([])
  }
})

test('no source map is sent, and none is named', () => {
  expect(filesUnder('.next/static', /\.map$/)).toEqual([])
  expect(isIn(sent(), 'sourceMappingURL=')).toEqual([])
})

test('nothing that helps to develop answers in production', async ({ darkroom }) => {
  const places = [
    '/__nextjs_original-stack-frames',
    '/__nextjs_source-map',
    '/__nextjs_error_feedback',
    '/__nextjs_restart_dev',
    '/_next/mcp',
    '/_next/webpack-hmr',
    '/_next/turbopack',
    '/_next/development/_devMiddlewareManifest.json',
    '/api/debug',
    '/api/test',
    '/debug',
    '/_/faults',
    '/.env',
    '/.git/config',
    '/package.json',
    '/.data/secrets.json',
    '/_next/static/../../package.json',
    '/_next/static/%2e%2e/server/server-reference-manifest.json',
  ]
  for (const path of places) {
    for (const method of ['GET', 'POST']) {
      const origin = new URL(darkroom.url).origin
      const answer = await fetch(`${darkroom.url}${path}`, { method, headers: { origin } })
      expect([404, 405], `${method} ${path}: ${answer.status}`).toContain(answer.status)
    }
  }
})
