import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { findFreePort } from './ports'
import { OWNER_ROLE, postgresUrl, startPostgres } from './postgres'
import { APP_ROLE, ensureAppRole, withClient } from './roles'

const PASSWORD = "it's a secret"

let folder: string
let stop: () => Promise<void> = () => Promise.resolve()

// One data folder for all tests: making it takes longer than all the rest.
beforeAll(() => {
  // Spaces, and too long for a socket in it.
  folder = mkdtempSync(join(tmpdir(), `darkroom postgres ${'long '.repeat(20)}`))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

afterEach(async () => {
  await stop()
})

async function start() {
  const port = await findFreePort()
  const server = await startPostgres({
    dataDir: join(folder, 'postgres'),
    logFile: join(folder, 'postgres.log'),
    port,
    ownerPassword: PASSWORD,
  })
  stop = server.stop
  const query = (sql: string, url = postgresUrl(OWNER_ROLE, PASSWORD, port, 'postgres')) =>
    withClient(url, async (client) => {
      const { rows } = await client.query<Record<string, unknown>>(sql)
      return rows[0]
    })
  return { server, port, query }
}

const lockFile = () => join(folder, 'postgres', 'postmaster.pid')

test('keeps text of every language, on durable storage, in a folder of its own', async () => {
  const { query } = await start()
  const settings = `select current_setting('server_encoding') as encoding,
    current_setting('fsync') as fsync, current_setting('data_checksums') as checksums,
    current_setting('listen_addresses') as addresses, lower('ÄÖ') as lower, '🙂' as emoji`
  expect(await query(settings)).toEqual({
    encoding: 'UTF8',
    fsync: 'on',
    checksums: 'on',
    addresses: '127.0.0.1',
    lower: 'äö',
    emoji: '🙂',
  })
  expect(statSync(join(folder, 'postgres')).mode & 0o777).toBe(0o700)
})

test('starts again with its data after a power cut, whoever has the old process number now', async () => {
  const first = await start()
  await first.query('create table kept as select 42 as n')
  first.server.kill('SIGKILL')
  await first.server.ended
  const [, ...rest] = readFileSync(lockFile(), 'utf8').split('\n')
  writeFileSync(lockFile(), [String(process.ppid), ...rest].join('\n'))

  const second = await start()
  expect(await second.query('select n from kept')).toEqual({ n: 42 })
})

test('takes the data over from a server that outlived its launcher', async () => {
  const first = await start()
  await first.query('create table kept_too as select 42 as n')

  const second = await start()
  expect(await first.server.ended).toBe('exit code 0')
  expect(await second.query('select n from kept_too')).toEqual({ n: 42 })
})

test('lets the programs in with their present password alone', async () => {
  const { port, query } = await start()
  const ownerUrl = postgresUrl(OWNER_ROLE, PASSWORD, port, 'postgres')
  const signIn = (password: string) =>
    query('select current_user as name', postgresUrl(APP_ROLE, password, port, 'postgres'))

  await ensureAppRole(ownerUrl, 'first')
  expect(await signIn('first')).toEqual({ name: APP_ROLE })
  await ensureAppRole(ownerUrl, "second'; --")
  expect(await signIn("second'; --")).toEqual({ name: APP_ROLE })
  await expect(signIn('first')).rejects.toThrow('password authentication failed')
})

test('says that the passwords do not fit, and leaves no server behind', async () => {
  const { server } = await start()
  await server.stop()
  const again = startPostgres({
    dataDir: join(folder, 'postgres'),
    logFile: join(folder, 'postgres.log'),
    port: await findFreePort(),
    ownerPassword: 'another',
  })
  await expect(again).rejects.toThrow('The passwords in secrets.json are not those of the database')
  expect(() => statSync(lockFile())).toThrow('ENOENT')
})
