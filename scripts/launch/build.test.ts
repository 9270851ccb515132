import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { expect, test } from 'vitest'
import { SOURCES } from './build'
import { root } from './root'

const BUILT = ['app', 'components', 'lib'] as const
const CODE = ['.ts', '.tsx']
const IMPORT = /from '@\/([^/']+)/g

const isCode = (name: string) =>
  CODE.includes(extname(name)) && !/\.test\.|(^|\/)testing\//.test(name.replaceAll('\\', '/'))

test('whatever folder the app is made of, a change in it makes a new build', () => {
  const imported = new Set<string>()
  for (const folder of BUILT) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!isCode(name)) continue
      const text = readFileSync(join(root, folder, name), 'utf8')
      for (const [, first] of text.matchAll(IMPORT)) if (first !== undefined) imported.add(first)
    }
  }
  expect(imported.size).toBeGreaterThan(BUILT.length)
  expect(SOURCES).toEqual(expect.arrayContaining([...imported]))
})
