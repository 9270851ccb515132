import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { LaunchError, systemCode } from './launch-error'

const LOOPBACK = '127.0.0.1'
const FIRST = 20_000
const LAST = 32_767
const TRIES = 50

/** Why this port cannot be listened on; undefined when it can. */
export async function findPortProblem(port: number, host?: string): Promise<string | undefined> {
  const server = createServer()
  try {
    server.listen({ port, ...(host === undefined ? {} : { host }), exclusive: true })
    await once(server, 'listening')
    return undefined
  } catch (error) {
    // Below 1024 there are ports that only root may use.
    if (systemCode(error) === 'EACCES') return `Port ${port} may not be used by this user.`
    return `Port ${port} is in use. Stop the program that uses it.`
  } finally {
    server.close()
  }
}

/**
 * Free now: another program may still take it before it is used. So that no connection going out
 * does, it is from below the ports that systems give to those: from 32768 on Linux and 49152
 * elsewhere (RFC 6335 section 6, Linux's ip_local_port_range).
 */
export async function findFreePort(preferred?: number): Promise<number> {
  for (const port of [preferred, ...Array.from({ length: TRIES }, anyPort)]) {
    if (port === undefined || port > 65_535) continue
    if (!(await findPortProblem(port, LOOPBACK)) && !(await findPortProblem(port))) return port
  }
  throw new LaunchError(
    `No free port was found from ${FIRST} to ${LAST}. Stop programs that use them.`,
  )
}

const anyPort = (): number => randomInt(FIRST, LAST + 1)
