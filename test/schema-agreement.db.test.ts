import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, openTestPool, type TestDatabase } from './postgres'

// prisma/schema.prisma says what the migrations made. Prisma’s own check needs an engine that is a
// separate download, so the two are compared here, column by column.

type Column = { readonly type: string; readonly nullable: boolean }
type Table = Readonly<Record<string, Column>>

const PRISMA_TYPE: Readonly<Record<string, string>> = {
  String: 'text',
  'String @db.Uuid': 'uuid',
  Int: 'int4',
  BigInt: 'int8',
  Boolean: 'bool',
  Bytes: 'bytea',
  Json: 'jsonb',
  'Float @db.Real': 'float4',
  'Decimal @db.Decimal(20, 8)': 'numeric',
  'DateTime @db.Timestamptz(6)': 'timestamptz',
  'DateTime @db.Date': 'date',
}

const source = readFileSync('prisma/schema.prisma', 'utf8')
const blocks = [...source.matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)].map(
  ([, name = '', body = '']) => ({ name, body }),
)
const models = new Set(blocks.map(({ name }) => name))
const mapOf = (text: string) => /@@?map\("(\w+)"\)/.exec(text)?.[1]

/** The scalar fields of a model as columns; relations have none. */
function tableOf(body: string): Table {
  const fields = body
    .split('\n')
    .map((line) => /^\s+(\w+)\s+(\w+)(\??)(\[\])?(.*)$/.exec(line))
    .flatMap((match) => {
      const [, name = '', type = '', optional = '', list, rest = ''] = match ?? []
      return match && list === undefined && !models.has(type)
        ? [{ name, type, optional, rest }]
        : []
    })
  return Object.fromEntries(
    fields.map(({ name, type, optional, rest }) => {
      const native = /@db\.\w+(?:\([\d, ]+\))?/.exec(rest)?.[0]
      const key = native === undefined ? type : `${type} ${native}`
      return [mapOf(rest) ?? name, { type: PRISMA_TYPE[key] ?? key, nullable: optional === '?' }]
    }),
  )
}

const described = Object.fromEntries(
  blocks.map(({ name, body }) => [
    mapOf(/@@map\("\w+"\)/.exec(body)?.[0] ?? '') ?? name,
    { table: tableOf(body), body },
  ]),
)

let database: TestDatabase
let owner: pg.Pool

beforeAll(async () => {
  database = await createTestDatabase()
  owner = openTestPool(database.ownerUrl, 1)
})
afterAll(async () => {
  await owner.end()
  await database.drop()
})

const query = async (sql: string) => (await owner.query<Record<string, string>>(sql)).rows

test('the schema and the database have the same tables', async () => {
  const tables = await query(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like '\\_%'
     order by 1`,
  )
  expect(Object.keys(described).sort()).toEqual(tables.map(({ name }) => name))
})

test('every column has the same name, type and nullability in both', async () => {
  const columns = await query(
    `select table_name, column_name, udt_name,
            -- A generated column is never not null for the database, whatever it computes.
            case when is_nullable = 'YES' then 'null' else 'not null' end as nullability
     from information_schema.columns
     where table_schema = 'public' and table_name not like '\\_%'`,
  )
  const migrated: Record<string, Record<string, Column>> = {}
  for (const { table_name = '', column_name = '', udt_name = '', nullability } of columns) {
    migrated[table_name] = {
      ...migrated[table_name],
      [column_name]: { type: udt_name, nullable: nullability === 'null' },
    }
  }
  for (const [name, { table }] of Object.entries(described)) {
    expect(table, name).toEqual(migrated[name])
  }
})

test('every name of a constraint or an index that the schema gives exists', async () => {
  const named = [...source.matchAll(/map: "(\w+)"/g)].map(([, name = '']) => name)
  const existing = await query(
    `select conname as name from pg_constraint where connamespace = 'public'::regnamespace
     union select indexname from pg_indexes where schemaname = 'public'`,
  )
  const names = new Set(existing.map(({ name }) => name))
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((name) => !names.has(name))).toEqual([])
})

test('every primary key is the same in both', async () => {
  const keys = await query(
    `select c.conrelid::regclass::text as name,
            string_agg(a.attname, ',' order by array_position(c.conkey, a.attnum)) as columns
     from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
     where c.contype = 'p' and c.connamespace = 'public'::regnamespace group by c.conrelid, c.oid`,
  )
  const migrated = new Map(keys.map(({ name, columns }) => [name, columns]))
  for (const [name, { body }] of Object.entries(described)) {
    const columnOf = (field: string) =>
      mapOf(new RegExp(`^\\s+${field}\\s.*$`, 'm').exec(body)?.[0] ?? '') ?? field
    const composite = /@@id\(\[([^\]]+)\]\)/.exec(body)?.[1]
    const single = /^\s+(\w+)\s.*@id\b/m.exec(body)?.[1]
    const fields = composite?.split(',').map((field) => field.trim()) ?? [single ?? '']
    expect(fields.map(columnOf).join(','), name).toBe(migrated.get(name))
  }
})

test('every time that the database fills in comes from the one clock', async () => {
  const others = await query(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and table_name not like '\\_%'
       and column_default ~ 'now|current|clock' and column_default <> 'app_now()'`,
  )
  expect(others).toEqual([])
})
