import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hashSources } from './source-hash'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'darkroom-sources-'))
  mkdirSync(join(folder, 'app', 'api'), { recursive: true })
  writeFileSync(join(folder, 'app', 'page.tsx'), 'page')
  writeFileSync(join(folder, 'app', 'api', 'route.ts'), 'route')
  writeFileSync(join(folder, 'tsconfig.json'), '{}')
})

afterEach(() => rmSync(folder, { recursive: true }))

const hash = () => hashSources(folder, ['app', 'public', 'tsconfig.json'])

test('is the same while nothing changes', () => {
  expect(hash()).toBe(hash())
})

test.each([
  ['the content of a file', () => writeFileSync(join(folder, 'app', 'page.tsx'), 'other')],
  [
    'the content of a file in a folder below',
    () => writeFileSync(join(folder, 'app', 'api', 'route.ts'), ''),
  ],
  [
    'the name of a file',
    () => renameSync(join(folder, 'app', 'page.tsx'), join(folder, 'app', 'home.tsx')),
  ],
  ['the absence of a file', () => rmSync(join(folder, 'tsconfig.json'))],
  [
    'a folder that was not there before',
    () => {
      mkdirSync(join(folder, 'public'))
      writeFileSync(join(folder, 'public', 'icon.svg'), '')
    },
  ],
  [
    'a border between files that moved',
    () => {
      writeFileSync(join(folder, 'app', 'api', 'route.ts'), 'rout')
      writeFileSync(join(folder, 'app', 'page.tsx'), 'epage')
    },
  ],
])('changes with %s', (_, change) => {
  const before = hash()
  change()
  expect(hash()).not.toBe(before)
})

test.each(['page.test.tsx', '.page.tsx.swp'])(
  'does not change with %s, which is not built',
  (name) => {
    const before = hash()
    writeFileSync(join(folder, 'app', name), 'anything')
    expect(hash()).toBe(before)
  },
)
