import { afterAll, beforeAll, expect, test } from 'vitest'
import { withClient } from '@/scripts/launch/roles'
import { createTestDatabase, type TestDatabase } from '@/test/postgres'
import { createDatabase, type Database } from './database'
import { isDatabaseUnavailable } from './unavailable'

let database: TestDatabase
let db: Database
let nowhere: Database

const onError = (): void => undefined

beforeAll(async () => {
  database = await createTestDatabase()
  db = createDatabase({ url: database.appUrl, applicationName: 'test', onError })
  const url = 'postgresql://nobody:x@127.0.0.1:1/nothing'
  nowhere = createDatabase({ url, applicationName: 'test', onError })
})
afterAll(async () => {
  await Promise.all([db.close(), nowhere.close()])
  await database.drop()
})

const errorOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

test.each([
  ['nothing listens', () => nowhere.pool.query('select 1')],
  ['nothing listens, asked through Prisma', () => nowhere.prisma.account.count()],
  ['the connection is ended', () => db.pool.query('select pg_terminate_backend(pg_backend_pid())')],
  [
    'the connection is ended, asked through Prisma',
    () => db.prisma.$queryRaw`select pg_terminate_backend(pg_backend_pid())`,
  ],
  [
    'the statement takes too long',
    async () => {
      const client = await db.pool.connect()
      try {
        await client.query(`set statement_timeout = '20ms'`)
        await client.query('select pg_sleep(30)')
      } finally {
        client.release(true)
      }
    },
  ],
])('knows that the database is unavailable when %s', async (_what, work) => {
  const error = await errorOf(work())
  expect(error).toBeInstanceOf(Error)
  expect(isDatabaseUnavailable(error)).toBe(true)
})

test.each([
  ['a statement that is none', () => db.pool.query('selekt')],
  ['a rule that is broken', () => db.pool.query(`insert into session (id) values (null)`)],
  ['a right that is missing', () => db.pool.query('delete from account')],
  ['a wrong id, asked through Prisma', () => db.prisma.account.findUnique({ where: { id: 'x' } })],
  ['a fault of ours', () => Promise.reject(new Error('a fault'))],
  ['something thrown that is no error', () => Promise.reject(new Error('x', { cause: 'y' }))],
])('does not blame the database for %s', async (_what, work) => {
  const error = await errorOf(work())
  expect(error).toBeDefined()
  expect(isDatabaseUnavailable(error)).toBe(false)
})

test('a connection that breaks between two statements fails the next one, and ends no process', async () => {
  const broken: Error[] = []
  const own = createDatabase({
    url: database.appUrl,
    applicationName: 'test',
    onError: (error) => broken.push(error),
  })
  const client = await own.pool.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  await withClient(database.ownerUrl, (owner) =>
    owner.query('select pg_terminate_backend($1)', [rows[0]?.pid]),
  )
  await expect.poll(() => broken.length).toBeGreaterThan(0)
  await expect(client.query('select 1')).rejects.toThrow()
  client.release(true)
  await own.close()
})
