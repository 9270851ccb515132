import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

// A server on a real socket that answers as a test tells it, speaks no protocol of its own, and
// counts what really arrived.

export type Heard = {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}
export type Act = (
  heard: Heard,
  connection: { readonly response: ServerResponse; readonly socket: Socket },
) => void | Promise<void>

export type ScriptedServer = Awaited<ReturnType<typeof startScriptedServer>>

export async function startScriptedServer() {
  let scripts: { readonly method: string; readonly path: RegExp; acts: readonly Act[] }[] = []
  let heard: Heard[] = []
  let posts = 0

  function actFor({ method, path }: Heard): Act {
    const script = scripts.find((one) => one.method === method && one.path.test(path))
    const [next, ...later] = script?.acts ?? []
    // The last one holds for ever.
    if (script && later.length > 0) script.acts = later
    return next ?? saying(599, 'Nothing is scripted for this request.')
  }

  const server = createServer((request, response) => {
    const { socket } = request
    const parts: Buffer[] = []
    request.on('error', () => undefined)
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const one: Heard = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(parts),
      }
      heard.push(one)
      // A client that goes away while it is answered is what some tests are about.
      void (async () => actFor(one)(one, { response, socket }))().catch(() => socket.destroy())
    })
  })
  // Counted as bytes arrive: a request is one even if it never comes whole.
  server.on('connection', (socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      posts += chunk.toString('latin1').match(/^POST \S+ HTTP\/1\.1\r$/gm)?.length ?? 0
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0

  return {
    url: `http://127.0.0.1:${port}`,
    /** What is answered to such requests, one after another; the last one for ever. */
    on(method: string, path: RegExp, ...acts: readonly Act[]) {
      scripts = [{ method, path, acts }, ...scripts]
    },
    /** POSTs that arrived, by their first line on the wire. */
    posts: () => posts,
    heard: (): readonly Heard[] => heard,
    reset() {
      scripts = []
      heard = []
      posts = 0
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Text and bytes as they are, anything else as JSON. */
export const saying =
  (status: number, body: unknown = {}, headers: Readonly<Record<string, string>> = {}): Act =>
  (_heard, { response }) => {
    const isRaw = typeof body === 'string' || body instanceof Buffer
    response
      .writeHead(status, { ...(isRaw ? {} : { 'content-type': 'application/json' }), ...headers })
      .end(isRaw ? body : JSON.stringify(body))
  }

/** Reads the whole request and says nothing. */
export const silent: Act = () => undefined

/** Reads the whole request and resets the connection. */
export const reset: Act = (_heard, { socket }) => void socket.resetAndDestroy()

/** Begins an answer and breaks off. */
export const cutShort =
  (status: number, beginning: string): Act =>
  (_heard, { response, socket }) => {
    response
      .writeHead(status, { 'content-type': 'application/json', 'content-length': '100000' })
      .write(beginning, () => socket.destroy())
  }

/** Nobody listens there: a port that was free a moment ago. */
export async function unusedAddress(): Promise<string> {
  const server = await startScriptedServer()
  await server.close()
  return server.url
}
