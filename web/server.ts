import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** Longer than a proxy before us keeps an idle connection, so that it never sends into a closed one. */
const KEEP_ALIVE_MS = 75_000

/** Something else listens there. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError'
  constructor(port: number) {
    super(`Something else listens on port ${port}. Choose another by PORT.`)
  }
}

export type WebServerParts = {
  /** Comes before everything. False: it answered itself. */
  readonly gate: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Answers with a built file, or hands over to `otherwise`. */
  readonly assets: (
    request: IncomingMessage,
    response: ServerResponse,
    otherwise: () => void,
  ) => void
  readonly pages: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  /** Told what `pages` rejected with. The next request is answered as if nothing had been. */
  readonly onFault: (error: unknown) => void
}

export type WebServer = {
  /** Answers the port. Rejects with `PortTakenError` when it is another's. */
  readonly listen: (port: number) => Promise<number>
  /**
   * Takes no new connection, and ends when everybody who asked before has their answer, or after
   * this many milliseconds. Whether all of them have.
   */
  readonly drain: (ms: number) => Promise<boolean>
}

export function createWebServer({ gate, assets, pages, onFault }: WebServerParts): WebServer {
  let isDraining = false
  const server = createServer((request, response) => {
    // Whoever has a connection is told to open the next one elsewhere.
    if (isDraining) response.setHeader('connection', 'close')
    if (!gate(request, response)) return
    assets(request, response, () => {
      pages(request, response).catch((error: unknown) => {
        onFault(error)
        if (response.headersSent) response.destroy()
        else response.writeHead(500, { 'content-type': 'text/plain' }).end('A fault of ours.\n')
      })
    })
  })
  server.keepAliveTimeout = KEEP_ALIVE_MS
  return {
    listen: (port) =>
      new Promise((resolve, reject) => {
        server.once('error', (error: NodeJS.ErrnoException) => {
          reject(error.code === 'EADDRINUSE' ? new PortTakenError(port) : error)
        })
        server.listen(port, () => {
          const address = server.address()
          resolve(typeof address === 'object' && address ? address.port : port)
        })
      }),
    drain: (ms) =>
      new Promise((resolve) => {
        isDraining = true
        const late = setTimeout(() => {
          server.closeAllConnections()
          resolve(false)
        }, ms)
        server.close(() => {
          clearTimeout(late)
          resolve(true)
        })
        // Those that were idle are closed now, those that answer when they have: both are asked again.
        const idle = setInterval(() => server.closeIdleConnections(), 100)
        server.once('close', () => clearInterval(idle))
      }),
  }
}
