import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { importsOf, mayImport, offencesOf } from './architecture'

const FOLDERS = [
  'app',
  'components',
  'e2e',
  'lib',
  'messages',
  'prisma',
  'scripts',
  'simulator',
  'test',
  'web',
  'worker',
]
const LINES_MAX = 400
const TEST_LINES_MAX = 600

const filesUnder = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.(tsx?|mjs)$/.test(path) && !path.startsWith('lib/db/generated/'))

const existing = readdirSync('.')
const files = FOLDERS.filter((folder) => existing.includes(folder)).flatMap(filesUnder)
const isTest = (path: string) => /^(test|e2e)\/|\.test\.tsx?$/.test(path)
const programs = files.filter((path) => !isTest(path))
const read = (path: string) => readFileSync(path, 'utf8')

test('every file imports only what its folder may, and holds nothing that is banned there', () => {
  expect(programs.length).toBeGreaterThan(80)
  expect(programs.flatMap((path) => offencesOf(path, read(path)))).toEqual([])
})

test('every folder that has a rule exists', () => {
  expect(
    Object.keys(mayImport).filter(
      (at) => !files.some((path) => path === at || path.startsWith(`${at}/`)),
    ),
  ).toEqual([])
})

test('no file is longer than people read', () => {
  const tooLong = files.filter(
    (path) => read(path).split('\n').length - 1 > (isTest(path) ? TEST_LINES_MAX : LINES_MAX),
  )
  expect(tooLong).toEqual([])
})

test('every file has a name in kebab case that says what is in it', () => {
  const named =
    /^[a-z0-9]+(-[a-z0-9]+)*(\.(config|test|db\.test|services\.test|e2e|d))?\.(tsx?|mjs|mts)$/
  const vague = /^(utils?|helpers?|misc|common|index|manager|service|data|info)\./
  const wrong = files
    .map((path) => basename(path))
    .filter((name) => !named.test(name) || vague.test(name))
  expect(wrong).toEqual([])
})

test('every test is named by a sentence', () => {
  const vague = files
    .filter((path) => /\.test\.tsx?$/.test(path))
    .flatMap((path) => [...read(path).matchAll(/\b(?:test|it)\(\s*'((?:should|works)\b[^']*)'/g)])
    .map((match) => match[1])
  expect(vague).toEqual([])
})

// The checker itself: each of these must be found, or the tests above prove nothing.

test.each([
  [`import { a } from '@/x'`, ['@/x']],
  [`import type { A } from '@/x'`, ['@/x']],
  [`import {\n  a,\n  type B,\n} from "./y"`, ['./y']],
  [`import 'server-only'`, ['server-only']],
  [`export { a } from '../z'`, ['../z']],
  [`const x = await import('@/lazy')`, ['@/lazy']],
  [`import a, { b } from 'p'\nimport * as c from 'q'`, ['p', 'q']],
  [`const from = 'nothing'`, []],
])('reads what %j imports', (source, imports) => {
  expect(importsOf(source)).toEqual(imports)
})

test.each([
  ['lib/domain/x.ts', `import { db } from '@/lib/db/database'`],
  ['lib/domain/x.ts', `const now = Date.now()`],
  ['lib/domain/x.ts', `const now = new Date()`],
  ['lib/domain/x.ts', `const dice = Math.random()`],
  ['lib/db/x.ts', `import { startAttempt } from '@/lib/use-cases/start-attempt'`],
  ['lib/use-cases/x.ts', `import { environment } from '@/lib/env'`],
  ['lib/use-cases/x.ts', `import pg from 'pg'`],
  ['lib/use-cases/x.ts', `await fetch('http://provider')`],
  ['lib/web/x.ts', `import { deps } from '@/lib/deps'`],
  ['lib/web/x.ts', `const key = process.env.KEY`],
  ['lib/storage/x.ts', `import { cache } from 'react'`],
  ['components/x.tsx', `import { deps } from '@/lib/deps'`],
  ['components/x.tsx', `import { requireUser } from '@/lib/auth/session'`],
  ['components/x.tsx', `export default function X() {}`],
  ['app/x/page.tsx', `import { claimAttempts } from '@/lib/db/attempt-store'`],
  ['app/x/page.tsx', `import { getServerSession } from 'next-auth'`],
  ['app/x/actions.ts', `export default function act() {}`],
  ['worker/x.ts', `import { page } from '@/app/layout'`],
  ['simulator/x.ts', `import { invariant } from '@/lib/domain/invariant'`],
  ['lib/db/x.ts', `import { a } from '../domain/a'`],
  ['lib/helpers/x.ts', `export const a = 1`],
])('finds the offence in %s: %s', (path, source) => {
  expect(offencesOf(path, source)).toHaveLength(1)
})

test.each([
  ['lib/db/x.ts', `import pg from 'pg'\nimport { Id } from '@/lib/domain/ids'`],
  ['lib/use-cases/x.ts', `import type { View } from '@/lib/web/views'`],
  ['components/x.tsx', `import { signInWithPassword } from '@/lib/auth/client'`],
  ['app/(app)/x/page.tsx', `import { deps } from '@/lib/deps'\nexport default function Page() {}`],
  ['worker/main.ts', `import { environment } from '@/lib/env'`],
])('finds no offence in %s: %s', (path, source) => {
  expect(offencesOf(path, source)).toEqual([])
})
