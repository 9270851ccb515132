import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort } from '@/scripts/launch/ports'

const READY_MS_MAX = 15_000
// So few that a connection kept between two transactions would starve the others.
const SERVER_CONNECTIONS = 6

export type PgBouncer = {
  readonly port: number
  readonly kill: () => Promise<void>
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** PgBouncer in transaction mode in front of a PostgreSQL of this machine, for one login of it. */
export async function startPgBouncer(server: {
  readonly port: number
  readonly user: string
  readonly password: string
  readonly poolSize?: number
}): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'darkroom-pgbouncer-'))
  const port = await findFreePort()
  const conf = join(folder, 'pgbouncer.ini')
  const users = join(folder, 'users.txt')
  writeFileSync(users, `"${server.user}" "${server.password}"\n`)
  writeFileSync(
    conf,
    `[databases]
* = host=127.0.0.1 port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${server.poolSize ?? SERVER_CONNECTIONS}
max_client_conn = 500
server_idle_timeout = 5
`,
  )
  chmodSync(folder, 0o755)
  let child: ChildProcess | undefined
  const log = openSync(join(folder, 'log'), 'a')
  const start = async () => {
    // It refuses to be root.
    const asNobody = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
    child = spawn('pgbouncer', ['-q', ...asNobody, conf], { stdio: ['ignore', log, log] })
    await listens(port, child, () => readFileSync(join(folder, 'log'), 'utf8'))
  }
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const stop = async () => {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  }
  await start()
  return { port, start, kill, stop }
}

async function listens(port: number, child: ChildProcess, said: () => string): Promise<void> {
  for (const until = performance.now() + READY_MS_MAX; performance.now() < until;) {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended: ${said()}`)
    const socket = connect(port, '127.0.0.1')
    const isThere = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (isThere) return
    await wait(50)
  }
  throw new Error(`pgbouncer does not listen: ${said()}`)
}
