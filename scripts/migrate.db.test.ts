import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '@/test/postgres'
import { withClient } from './launch/roles'
import { inRoot, root } from './launch/root'
import { applyMigrations } from './migrate'

let database: TestDatabase
let folder: string

beforeEach(async () => {
  database = await createEmptyDatabase()
  folder = mkdtempSync(join(tmpdir(), 'darkroom-migrations-'))
})

afterEach(async () => {
  rmSync(folder, { recursive: true })
  await database.drop()
})

function write(name: string, sql: string): void {
  mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, name, 'migration.sql'), sql)
}

const migrate = () => applyMigrations(database.ownerUrl, folder)

const rowsOf = (sql: string) =>
  withClient(database.ownerUrl, async (client) => {
    const { rows } = await client.query<Record<string, unknown>>(sql)
    return rows
  })

const tables = async () => {
  const rows = await rowsOf(
    `select tablename from pg_tables where schemaname = 'public' order by tablename`,
  )
  return rows.map(({ tablename }) => tablename)
}

test('applies migrations in order of name, once', async () => {
  write('20260102000000_add_colour', 'alter table picture add colour text;')
  write('20260101000000_create_picture', 'create table picture (id int);')

  expect(await migrate()).toEqual({
    applied: ['20260101000000_create_picture', '20260102000000_add_colour'],
    unknown: [],
  })
  expect(await migrate()).toEqual({ applied: [], unknown: [] })
})

test('records a migration as Prisma does', async () => {
  // The checksum is the SHA-256 of the file, in hexadecimal.
  write('20260101000000_say_hello', '-- hello\n')
  await migrate()

  const [row] = await rowsOf(
    `select *, length(id) as id_length, finished_at >= started_at as in_order from _prisma_migrations`,
  )
  expect(row).toMatchObject({
    id_length: 36,
    checksum: '7c249183dc9f15ef86e35469442d255d51693714cbb6f7d040967239db49fe03',
    migration_name: '20260101000000_say_hello',
    logs: null,
    rolled_back_at: null,
    applied_steps_count: 1,
    in_order: true,
  })
})

test('refuses a migration that was changed after it was applied, and names it', async () => {
  write('20260101000000_create_picture', 'create table picture (id int);')
  await migrate()
  write('20260101000000_create_picture', 'create table picture (id bigint);')
  write('20260102000000_create_frame', 'create table frame (id int);')

  await expect(migrate()).rejects.toThrow(/20260101000000_create_picture.*was changed/)
  expect(await tables()).not.toContain('frame')
})

test('takes other line ends for no change', async () => {
  write('20260101000000_create_picture', 'create table picture (\n  id int\n);\n')
  await migrate()
  write('20260101000000_create_picture', 'create table picture (\r\n  id int\r\n);\r\n')

  expect(await migrate()).toEqual({ applied: [], unknown: [] })
})

test('leaves nothing of a migration that fails, and keeps those before it', async () => {
  write('20260101000000_create_picture', 'create table picture (id int);')
  write('20260102000000_create_frame', 'create table frame (id int); select 1/0;')
  write('20260103000000_create_wall', 'create table wall (id int);')

  await expect(migrate()).rejects.toThrow(
    /20260102000000_create_frame.*migration\.sql: division by zero/,
  )
  expect(await tables()).toEqual(['_prisma_migrations', 'picture'])

  write('20260102000000_create_frame', 'create table frame (id int);')
  expect((await migrate()).applied).toEqual([
    '20260102000000_create_frame',
    '20260103000000_create_wall',
  ])
})

test('lets a second run wait for the first, and leaves it nothing to do', async () => {
  write('20260101000000_create_picture', 'select pg_sleep(0.2); create table picture (id int);')

  const runs = await Promise.all([migrate(), migrate(), migrate()])
  expect(runs.flatMap(({ applied }) => applied)).toEqual(['20260101000000_create_picture'])
})

test('accepts a database that is newer than the code, and says so', async () => {
  write('20260101000000_create_picture', 'create table picture (id int);')
  write('20260102000000_create_frame', 'create table frame (id int);')
  await migrate()
  rmSync(join(folder, '20260102000000_create_frame'), { recursive: true })

  expect(await migrate()).toEqual({ applied: [], unknown: ['20260102000000_create_frame'] })
})

test('refuses to add to a database that has gone another way', async () => {
  write('20260101000000_create_picture', 'create table picture (id int);')
  await migrate()
  renameSync(
    join(folder, '20260101000000_create_picture'),
    join(folder, '20260101000000_create_frame'),
  )

  await expect(migrate()).rejects.toThrow(/20260101000000_create_picture.*lacks.*create_frame/)
})

test('refuses after a migration that another tool left unfinished', async () => {
  write('20260101000000_create_picture', 'create table picture (id int);')
  await migrate()
  await rowsOf('update _prisma_migrations set finished_at = null')

  await expect(migrate()).rejects.toThrow(/20260101000000_create_picture was begun/)
})

test('ends the command with 1 and one line when the address is missing', () => {
  const run = () =>
    execFileSync(process.execPath, ['--import', 'tsx', inRoot('scripts', 'migrate.ts')], {
      cwd: root,
      encoding: 'utf8',
      stdio: 'pipe',
      env: { ...process.env, DATABASE_URL: '', DATABASE_OWNER_URL: '' },
    })
  expect(run).toThrow(
    expect.objectContaining({
      status: 1,
      stderr: 'DATABASE_URL: is missing; expected a postgresql:// address\n',
    }),
  )
})

test('applies the migrations of this repository to an empty database', async () => {
  const { applied } = await applyMigrations(database.ownerUrl)
  expect(applied.length).toBeGreaterThan(0)
})
