import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { EntryKind, entryKinds } from './ledger'

test('the ledger knows exactly the kinds that the database lets in', () => {
  const sql = readFileSync('prisma/migrations/20261201020000_add_purchases/migration.sql', 'utf8')
  const allowed = /ledger_entry_kind_known check \(\s*kind in \(([^)]*)\)/.exec(sql)?.[1] ?? ''
  expect(allowed.match(/\w+/g)).toEqual([...entryKinds])
})

test('another kind of line is none', () => {
  expect(EntryKind.safeParse('gift').success).toBe(false)
})
