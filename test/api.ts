import * as unknownAddress from '@/app/api/v1/[...path]/route'
import * as attemptImage from '@/app/api/v1/attempts/[id]/image/route'
import * as attemptCancel from '@/app/api/v1/attempts/[id]/cancel/route'
import * as oneAttempt from '@/app/api/v1/attempts/[id]/route'
import * as attempts from '@/app/api/v1/attempts/route'
import * as balance from '@/app/api/v1/balance/route'
import * as ledger from '@/app/api/v1/ledger/route'
import * as models from '@/app/api/v1/models/route'
import * as referenceImages from '@/app/api/v1/reference-images/route'
import * as description from '@/app/api/v1/openapi.json/route'
import { hashPassword, verifyPassword } from '@/lib/auth/password'
import { noThrottle } from '@/lib/db/throttle'
import type { AppDeps } from '@/lib/deps'
import type { Deps } from '@/lib/use-cases/deps'
import { expectDescribed } from './api-description'

// The API as a program sees it, without a server in between: an address leads to the handler that Next.js
// would call. Every answer is held against the description that the API gives of itself.

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
type Handler = (
  request: Request,
  context: { readonly params: Promise<unknown> },
) => Promise<Response> | Response

/** The addresses as the folders of `app` give them, the most special first. */
export const addresses: readonly {
  readonly path: string
  readonly handlers: Readonly<Record<Method, Handler>>
}[] = [
  { path: '/api/v1/attempts/{id}/image', handlers: attemptImage },
  { path: '/api/v1/attempts/{id}/cancel', handlers: attemptCancel },
  { path: '/api/v1/attempts/{id}', handlers: oneAttempt },
  { path: '/api/v1/attempts', handlers: attempts },
  { path: '/api/v1/balance', handlers: balance },
  { path: '/api/v1/ledger', handlers: ledger },
  { path: '/api/v1/models', handlers: models },
  { path: '/api/v1/reference-images', handlers: referenceImages },
  { path: '/api/v1/openapi.json', handlers: description },
]

export type ApiCall = {
  readonly key?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as it is, with the type of JSON unless another is given. */
  readonly body?: string | Uint8Array<ArrayBuffer>
}

const shared: { darkroomDeps?: AppDeps } & typeof globalThis = globalThis

/** Makes the handlers of this process use these. */
export function serveWith(deps: Deps): void {
  shared.darkroomDeps = {
    ...deps,
    hashPassword,
    verifyPassword,
    throttle: noThrottle,
    imageStores: { files: deps.images, s3: undefined },
  }
}

export async function callApi(method: Method, address: string, call: ApiCall = {}) {
  const url = new URL(address, 'http://127.0.0.1:3000')
  const headers = new Headers({
    ...(call.key !== undefined && { authorization: `Bearer ${call.key}` }),
    ...(call.body !== undefined && { 'content-type': 'application/json' }),
    ...call.headers,
  })
  const request = new Request(url, {
    method,
    headers,
    ...(call.body !== undefined && { body: call.body }),
  })
  const { path, handlers, id } = addressOf(url.pathname)
  // As Next.js does it: an address without parameters has none at all.
  const params = Promise.resolve(id === undefined ? undefined : { id })
  const response = await handlers[method](request, { params })
  const bytes = Buffer.from(await response.arrayBuffer())
  const type = response.headers.get('content-type') ?? ''
  const body: unknown =
    type.includes('json') && bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined
  if (path !== undefined && (method === 'GET' || method === 'POST')) {
    expectDescribed({ path, method, response, type, body })
  }
  return { status: response.status, headers: response.headers, type, bytes, body }
}

function addressOf(pathname: string) {
  for (const { path, handlers } of addresses) {
    const match = new RegExp(`^${path.replace('{id}', '(?<id>[^/]+)').replace('.', '\\.')}$`).exec(
      pathname,
    )
    if (match) return { path, handlers, id: match.groups?.['id'] }
  }
  return { path: undefined, handlers: unknownAddress, id: undefined }
}
