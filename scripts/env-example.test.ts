import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { providerKinds } from '@/lib/providers/registry'
import { inRoot } from './launch/root'

test('.env.example explains every variable that is read, and no other', () => {
  const source = readFileSync(inRoot('lib', 'env.ts'), 'utf8')
  const ours = [...source.matchAll(/^ {4}([A-Z][A-Z0-9_]+):/gm)].map((match) => match[1])
  const read = [...ours, ...providerKinds.flatMap(({ variables }) => variables)]
  const example = readFileSync(inRoot('.env.example'), 'utf8')
  // One line of words may stand above several that belong together.
  const explained = [...example.matchAll(/^# ([A-Z][A-Z0-9_]+)=/gm)].map((match) => match[1])

  // The launcher alone may be the tables' owner.
  expect(explained.toSorted()).toEqual([...new Set([...read, 'DATABASE_OWNER_URL'])].toSorted())
})
