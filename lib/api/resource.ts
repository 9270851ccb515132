import { z } from 'zod'
import { isDatabaseUnavailable } from '@/lib/db/unavailable'
import { deps, type AppDeps } from '@/lib/deps'
import type { AccountId } from '@/lib/domain/ids'
import { findKeyOwner } from '@/lib/use-cases/api-keys'
import { PRIVATE, problemAnswer } from './problem'

// A database that restarts is back within a few seconds.
const RETRY_AFTER_SECONDS = 5

/** One authenticated call. `id` is that of the path, as it came. */
export type Call = {
  readonly deps: AppDeps
  readonly request: Request
  readonly url: URL
  readonly accountId: AccountId
  readonly id: string
}

export type Operation = (call: Call) => Promise<Response>

export type RouteHandler = (
  request: Request,
  context: { readonly params: Promise<unknown> },
) => Promise<Response>

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

// Next.js gives an address without parameters none at all.
const PathParams = z.object({ id: z.string().default('') }).prefault({})

/**
 * The handlers of one address of the API, one for each method, so that whatever is asked in
 * whatever way gets an answer of ours: a method that is not offered, a missing key, and everything
 * that goes wrong on the way.
 */
export function resource(
  operations: Readonly<Partial<Record<'GET' | 'POST', Operation>>>,
): Readonly<Record<Method, RouteHandler>> {
  const { GET: get, POST: post } = operations
  return handlers({ GET: get && authenticated(get), POST: post && authenticated(post) })
}

/** An address that anybody may read. */
export function openResource(
  read: (request: Request) => Response,
): Readonly<Record<Method, RouteHandler>> {
  return handlers({ GET: (request) => Promise.resolve(read(request)), POST: undefined })
}

function handlers({
  GET: get,
  POST: post,
}: {
  readonly GET: RouteHandler | undefined
  readonly POST: RouteHandler | undefined
}): Readonly<Record<Method, RouteHandler>> {
  const allow = [...(get ? ['GET', 'HEAD'] : []), ...(post ? ['POST'] : []), 'OPTIONS'].join(', ')
  const refuse = (): Promise<Response> =>
    Promise.resolve(problemAnswer('method_not_allowed', { headers: { allow } }))
  return {
    GET: get ?? refuse,
    HEAD: get ? withoutBody(get) : refuse,
    POST: post ?? refuse,
    PUT: refuse,
    PATCH: refuse,
    DELETE: refuse,
    OPTIONS: () => Promise.resolve(new Response(null, { status: 204, headers: { allow } })),
  }
}

function withoutBody(get: RouteHandler): RouteHandler {
  return async (request, context) => new Response(null, await get(request, context))
}

function authenticated(operation: Operation): RouteHandler {
  return async (request, context) => {
    const world = deps()
    try {
      const accountId = await findCaller(world, request)
      if (!accountId) return unauthorized(request)
      const { id } = PathParams.parse(await context.params)
      const url = new URL(request.url)
      return await operation({ deps: world, request, url, accountId, id })
    } catch (error) {
      return failure(world, request, error)
    }
  }
}

async function findCaller(world: AppDeps, request: Request): Promise<AccountId | undefined> {
  // The scheme's name is not case-sensitive: RFC 9110, 11.1.
  const key = /^bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  return key === undefined ? undefined : await findKeyOwner(world, key)
}

/** The same whether a key is unknown, revoked or of a suspended account. RFC 6750, 3. */
export function unauthorized(request: Request): Response {
  const given = request.headers.has('authorization')
  const challenge = `Bearer realm="darkroom"${given ? ', error="invalid_token"' : ''}`
  return problemAnswer('unauthorized', { headers: { 'www-authenticate': challenge } })
}

/** The caller is told what to do, the log is told what happened. */
function failure(world: AppDeps, request: Request, error: unknown): Response {
  const { pathname } = new URL(request.url)
  if (isDatabaseUnavailable(error)) {
    world.log.warn({ err: error, method: request.method, path: pathname }, 'database unavailable')
    return problemAnswer('unavailable', { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } })
  }
  world.log.error({ err: error, method: request.method, path: pathname }, 'api call failed')
  return problemAnswer('internal_error')
}

export function json(
  body: unknown,
  init: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  return Response.json(body, {
    status: init.status ?? 200,
    headers: { ...PRIVATE, ...init.headers },
  })
}
