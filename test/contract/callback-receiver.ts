import { once } from 'node:events'
import { createServer } from 'node:http'
import {
  receiveCallback,
  type CallbackOutcome,
  type CallbackRequest,
} from '@/lib/use-cases/receive-callback'

type ReceiveDeps = Parameters<typeof receiveCallback>[0]
export type CallbackReceiver = Awaited<ReturnType<typeof startCallbackReceiver>>

/** The callback route of the web app, without the web app. */
export async function startCallbackReceiver(depsNow: () => ReceiveDeps) {
  let received: { readonly request: CallbackRequest; readonly outcome: CallbackOutcome }[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const [, , , provider = '', token = ''] = (request.url ?? '').split('?')[0]?.split('/') ?? []
      const callback: CallbackRequest = {
        provider,
        token,
        header: (name) => [request.headers[name.toLowerCase()]].flat()[0] ?? null,
        body: Buffer.concat(parts),
        now: new Date(),
      }
      receiveCallback(depsNow(), callback)
        .then((outcome) => {
          received.push({ request: callback, outcome })
          response.writeHead(outcome === 'forged' ? 401 : 202).end()
        })
        .catch(() => response.writeHead(500).end())
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    received: () => received,
    reset() {
      received = []
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
