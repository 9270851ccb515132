import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { OWNER_ROLE, postgresUrl } from '@/scripts/launch/postgres'
import { APP_ROLE, withClient } from '@/scripts/launch/roles'

export type TestDatabase = {
  /** May do anything; for setting rows up and looking at them. */
  readonly ownerUrl: string
  /** The role that the programs use; for the code under test. */
  readonly appUrl: string
  /** The same login, past any pooler: for settings of a connection, which a pooler refuses. */
  readonly directUrl: string
  /** Whether that address is a pooler's. */
  readonly isPooled: boolean
  readonly drop: () => Promise<void>
}

/** Connections of a test, whose server or database may go away under them at any time. */
export function openTestPool(connectionString: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString, max })
  // `end` resolves before its connections are closed: a database that is dropped takes them along.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** A database of its own with every migration applied. Called once by each test file. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { template } = inject('postgres')
  return await createDatabase(`template ${template}`)
}

/** A database with nothing in it. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return await createDatabase('')
}

async function createDatabase(options: string): Promise<TestDatabase> {
  const { port, ownerPassword, appPassword, poolerPort } = inject('postgres')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const adminUrl = postgresUrl(OWNER_ROLE, ownerPassword, port, 'postgres')
  await withClient(adminUrl, async (client) => {
    await client.query(`create database ${name} ${options}`)
  })
  return {
    ownerUrl: postgresUrl(OWNER_ROLE, ownerPassword, port, name),
    appUrl: postgresUrl(APP_ROLE, appPassword, poolerPort ?? port, name),
    directUrl: postgresUrl(APP_ROLE, appPassword, port, name),
    isPooled: poolerPort !== undefined,
    // Connections that a test left open must not keep it.
    drop: () =>
      withClient(adminUrl, async (client) => {
        await client.query(`drop database ${name} with (force)`)
      }),
  }
}
