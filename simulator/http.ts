import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'

export type Reply =
  | {
      readonly kind: 'json'
      readonly status: number
      readonly body: unknown
      readonly headers?: Readonly<Record<string, string>>
    }
  | {
      readonly kind: 'bytes'
      readonly status?: number
      readonly contentType: string
      readonly bytes: Uint8Array
      readonly headers?: Readonly<Record<string, string>>
    }
  // The connection is destroyed: the caller cannot know what became of its request.
  | { readonly kind: 'cut' }

export const json = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply => ({ kind: 'json', status, body, headers })

export const errorReply = (
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Reply => json(status, { error: { code, message } }, headers)

export type Route = {
  readonly method: string
  readonly path: RegExp
  handle(request: RouteRequest): Promise<Reply> | Reply
}
export type RouteRequest = {
  /** The first group of the route's path, or an empty text. */
  readonly id: string
  /** All groups of the route's path; one that did not take part is an empty text. */
  readonly groups: readonly string[]
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** The body went on beyond what is kept of it. */
  readonly isTooLarge: boolean
}

// Room for a few reference images in base64, as some protocols carry them.
const BODY_BYTES_MAX = 32 * 1_048_576

/** Rejects when the caller hangs up on the way. */
async function readBody(request: IncomingMessage) {
  const chunks: Uint8Array[] = []
  let size = 0
  const parts: AsyncIterable<Uint8Array> = request
  for await (const bytes of parts) {
    size += bytes.byteLength
    // The rest is still read, or the caller would see a reset instead of the answer.
    if (size <= BODY_BYTES_MAX) chunks.push(bytes)
  }
  return { body: Buffer.concat(chunks), isTooLarge: size > BODY_BYTES_MAX }
}

/** Undefined when it is not JSON. */
export function parseJson(body: Buffer): unknown {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'))
    return parsed
  } catch {
    return undefined
  }
}

export async function answer(routes: readonly Route[], request: IncomingMessage): Promise<Reply> {
  const url = new URL(request.url ?? '/', 'http://simulator.invalid')
  const here = routes.flatMap((route) => {
    const match = route.path.exec(url.pathname)
    return match
      ? [{ route, groups: match.slice(1).map((group: string | undefined) => group ?? '') }]
      : []
  })
  if (here.length === 0) return errorReply(404, 'not_found', 'There is nothing at this address.')
  const found = here.find(({ route }) => route.method === request.method)
  if (!found) return errorReply(405, 'method_not_allowed', 'This address takes another method.')

  return found.route.handle({
    id: found.groups[0] ?? '',
    groups: found.groups,
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    ...(await readBody(request)),
  })
}

export function send(reply: Reply, response: ServerResponse): void {
  switch (reply.kind) {
    case 'json': {
      const body = JSON.stringify(reply.body)
      response.writeHead(reply.status, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        ...reply.headers,
      })
      response.end(body)
      return
    }
    case 'bytes':
      response.writeHead(reply.status ?? 200, {
        'content-type': reply.contentType,
        'content-length': reply.bytes.byteLength,
        ...reply.headers,
      })
      response.end(reply.bytes)
      return
    case 'cut':
      response.destroy()
      return
  }
}
