import { Client, escapeIdentifier, escapeLiteral } from 'pg'
import { LaunchError, messageOf, systemCode } from './launch-error'

export const APP_ROLE = 'darkroom_app'

/** Makes the login that the programs use, and keeps its password right. */
export async function ensureAppRole(ownerUrl: string, password: string): Promise<void> {
  await withClient(ownerUrl, async (client) => {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [APP_ROLE])
    const verb = rowCount === 0 ? 'create' : 'alter'
    await client.query(`${verb} role ${APP_ROLE} login password ${escapeLiteral(password)}`)
  })
}

export async function ensureDatabase(ownerUrl: string, name: string): Promise<void> {
  await withClient(ownerUrl, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${escapeIdentifier(name)}`)
  })
}

/** Runs SQL on a connection of its own. */
export async function withClient<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url })
  // Without a listener a connection that breaks while idle would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (cause) {
    const { host, pathname } = new URL(url)
    const reason = messageOf(cause) || String(systemCode(cause))
    throw new LaunchError(`Cannot use the database ${host}${pathname}: ${reason}`, { cause })
  }
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
