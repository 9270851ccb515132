import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inRoot } from './launch/root'

test('.env.example explains every variable that is read, and no other', () => {
  const source = readFileSync(inRoot('lib', 'env.ts'), 'utf8')
  const read = [...source.matchAll(/^ {4}([A-Z][A-Z0-9_]+):/gm)].map((match) => match[1])
  const example = readFileSync(inRoot('.env.example'), 'utf8')
  const explained = [...example.matchAll(/^# [^\n]+\n# ([A-Z][A-Z0-9_]+)=/gm)].map(
    (match) => match[1],
  )

  // The launcher alone may be the tables' owner.
  expect(explained.toSorted()).toEqual([...new Set([...read, 'DATABASE_OWNER_URL'])].toSorted())
})
