import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { z } from 'zod'
import { pngBytes } from './images'

// A provider on a real socket that does what a test tells it, and counts what really arrived. It
// speaks the simulator's protocol and shares no code with the simulator.

export type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly socket: Socket
  /** Reads the whole request and makes a task of it. Answers the task's id. */
  readonly accept: () => Promise<string>
}
export type Behaviour = (exchange: Exchange) => void | Promise<void>
type Route = 'submit' | 'status' | 'image'

const Submitted = z.object({ reference: z.string() })

export type FakeProvider = Awaited<ReturnType<typeof startFakeProvider>>

export async function startFakeProvider() {
  const png = await pngBytes()
  const behaviours: Record<Route, Behaviour[]> = { submit: [], status: [], image: [] }
  const tasks: { readonly id: string; readonly reference: string }[] = []
  let posts = 0

  const usual: Record<Route, Behaviour> = {
    submit: accepted,
    status: ({ request, response }) =>
      json(response, 200, taskBody(taskIdOf(request), 'succeeded', imageUrl(taskIdOf(request)))),
    image: ({ response }) => void response.writeHead(200, { 'content-type': 'image/png' }).end(png),
  }

  const server = createServer((request, response) => {
    const route = routeOf(request)
    // The last behaviour holds for ever.
    const [next = usual[route], ...later] = behaviours[route]
    if (later.length > 0) behaviours[route] = later
    const exchange = { request, response, socket: request.socket, accept: () => accept(request) }
    // A client that goes away while it is answered is what many tests are about.
    void (async () => next(exchange))().catch(() => request.socket.destroy())
  })
  // Counted as bytes arrive: a request is one even if it never comes whole.
  server.on('connection', (socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      posts += chunk.toString('latin1').match(/^POST \/v1\/generations HTTP/gm)?.length ?? 0
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const url = `http://127.0.0.1:${port}`
  const imageUrl = (id: string) => `${url}/v1/generations/${id}/image`

  async function accept(request: IncomingMessage): Promise<string> {
    const { reference } = Submitted.parse(JSON.parse((await bytesOf(request)).toString('utf8')))
    const id = `task-${tasks.length + 1}-${reference}`
    tasks.push({ id, reference })
    return id
  }

  return {
    url,
    imageUrl,
    usual,
    /** Submissions that arrived, by their first line on the wire. */
    posts: () => posts,
    /** Tasks made for an attempt: more than one is the fault that everything here prevents. */
    tasksOf: (reference: string) => tasks.filter((task) => task.reference === reference).length,
    taskIdOf: (reference: string) => tasks.find((task) => task.reference === reference)?.id,
    mostTasksOfOne: () =>
      Math.max(
        0,
        ...tasks.map(({ reference }) => tasks.filter((t) => t.reference === reference).length),
      ),
    /** What is answered next, one after another; the last one for ever. None: the usual. */
    answer: (route: Route, ...next: readonly Behaviour[]) => {
      behaviours[route] = [...next]
    },
    reset: () => {
      for (const route of ['submit', 'status', 'image'] as const) behaviours[route] = []
      posts = 0
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function routeOf({ method, url }: IncomingMessage): Route {
  if (method === 'POST') return 'submit'
  return url?.endsWith('/image') === true ? 'image' : 'status'
}

const taskIdOf = ({ url }: IncomingMessage) => decodeURIComponent(url?.split('/')[3] ?? '')

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(z.instanceof(Buffer).parse(chunk))
  return Buffer.concat(chunks)
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

export const taskBody = (id: string, status: string, resultUrl: string | null = null) => ({
  id,
  // As this server makes its ids.
  reference: id.replace(/^task-\d+-/, ''),
  status,
  progress: 0.5,
  result: resultUrl === null ? null : { url: resultUrl },
  error: status === 'failed' ? { code: 'render_failed', message: 'The lamp broke.' } : null,
})

// What a provider may do with a submission, a look or a fetch.

export const accepted: Behaviour = async ({ response, accept }) =>
  json(response, 202, { id: await accept(), status: 'queued', created_at: '2026-01-01T00:00:00Z' })

/** Takes the work and says nothing about it. */
export const acceptedAndReset: Behaviour = async ({ accept, socket }) => {
  await accept()
  socket.resetAndDestroy()
}
export const acceptedAndSilent: Behaviour = async ({ accept }) => {
  await accept()
}
export const acceptedAndCutShort: Behaviour = async ({ accept, response, socket }) => {
  await accept()
  response.writeHead(202, { 'content-length': '100' }).write('{"id":"ta', () => socket.destroy())
}
export const acceptedAndStalled: Behaviour = async ({ accept, response }) => {
  await accept()
  response.writeHead(202, { 'content-length': '100' }).write('{"id":"ta')
}
export const acceptedAndSaying =
  (status: number, body: string): Behaviour =>
  async ({ accept, response }) => {
    await accept()
    response.writeHead(status).end(body)
  }
export const acceptedAfterContinue: Behaviour = async ({ accept, response, socket }) => {
  const id = await accept()
  socket.write('HTTP/1.1 100 Continue\r\n\r\n')
  json(response, 202, { id })
}

export const resetUnread: Behaviour = ({ socket }) => void socket.resetAndDestroy()
export const closedUnread: Behaviour = ({ socket }) => void socket.destroy()
export const silent: Behaviour = () => undefined

export const answering =
  (status: number, body: unknown = {}, headers: Record<string, string> = {}): Behaviour =>
  ({ request, response }) => {
    request.resume()
    response
      .writeHead(status, headers)
      .end(typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body))
  }

export const errorBody = (code: string, message = 'as the provider says it') => ({
  error: { code, message },
})

/** A look that finds the task as told. */
export const looking =
  (status: string, resultUrl: string | null = null): Behaviour =>
  ({ request, response }) =>
    json(response, 200, taskBody(taskIdOf(request), status, resultUrl))
