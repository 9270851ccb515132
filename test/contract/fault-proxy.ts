import { once } from 'node:events'
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'

// Stands between an adapter and the provider, and does to a submission what networks do.

/** What becomes of one submission. */
export type Fault =
  /** The provider never sees it. */
  | { readonly kind: 'reset-before' | 'silent-before' }
  | {
      readonly kind: 'answer-before'
      readonly status: number
      readonly body: string
      readonly headers?: Readonly<Record<string, string>>
    }
  /** The provider takes it, and its answer does not come, or not as it was given. */
  | { readonly kind: 'reset-after' | 'silent-after' | 'cut-short-after' }
  | { readonly kind: 'answer-after'; readonly status: number; readonly body: string }

export type Message = { readonly method: string; readonly path: string; readonly body: Buffer }

export type FaultProxy = Awaited<ReturnType<typeof startFaultProxy>>

export async function startFaultProxy() {
  let target: string | undefined
  let isSubmission: (message: Message) => boolean = () => false
  let faults: readonly Fault[] = []
  let submissions = 0

  const server = createServer((request, response) => {
    request.on('error', () => undefined)
    void pass(request, response).catch(() => request.socket.destroy())
  })
  server.on('connection', (socket) => socket.on('error', () => undefined))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
    const body = Buffer.concat(parts)
    const message = { method: request.method ?? '', path: request.url ?? '', body }
    const counted = isSubmission(message)
    if (counted) submissions += 1
    const [fault, ...later] = counted ? faults : []
    if (fault) faults = later
    if (fault && 'status' in fault && fault.kind === 'answer-before') {
      response.writeHead(fault.status, fault.headers).end(fault.body)
      return
    }
    if (fault?.kind === 'silent-before') return
    if (fault?.kind === 'reset-before') {
      request.socket.resetAndDestroy()
      return
    }
    const upstream = await forward(message, request)
    const bytes = await bytesOf(upstream)
    switch (fault?.kind) {
      case 'silent-after':
        return
      case 'reset-after':
        request.socket.resetAndDestroy()
        return
      case 'cut-short-after':
        response
          .writeHead(200, { 'content-type': 'application/json', 'content-length': '99999999' })
          .write('{"id":"', () => request.socket.destroy())
        return
      case 'answer-after':
        response.writeHead(fault.status, { 'content-type': 'text/html' }).end(fault.body)
        return
      case undefined:
        response.writeHead(upstream.statusCode ?? 502, upstream.headers).end(bytes)
    }
  }

  function forward({ method, path, body }: Message, { headers }: IncomingMessage) {
    return new Promise<IncomingMessage>((resolve, reject) => {
      const onward = httpRequest(`${target ?? ''}${path}`, { method, headers }, resolve)
      onward.on('error', reject)
      onward.end(body)
    })
  }

  return {
    url: `http://127.0.0.1:${port}`,
    /** Passes on to there; what counts as a submission is for the protocol to say. */
    aimAt(url: string) {
      target = url
    },
    /** What happens to the next submissions, one after another; the others pass. */
    arm(counts: typeof isSubmission, ...next: readonly Fault[]) {
      isSubmission = counts
      faults = next
      submissions = 0
    },
    /** Submissions that the adapter sent, whatever became of them. */
    submissions: () => submissions,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function bytesOf(response: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of response as AsyncIterable<Buffer>) parts.push(part)
  return Buffer.concat(parts)
}
