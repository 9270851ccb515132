import { once } from 'node:events'
import { createServer } from 'node:net'
import { systemCode } from './launch-error'

const LOOPBACK = '127.0.0.1'

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

/** Free now: another program may still take it before it is used. */
export async function findFreePort(preferred?: number): Promise<number> {
  if (
    preferred !== undefined &&
    preferred <= 65_535 &&
    !(await findPortProblem(preferred, LOOPBACK))
  ) {
    return preferred
  }
  const server = createServer()
  server.listen(0, LOOPBACK)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no TCP port was given')
  return address.port
}
