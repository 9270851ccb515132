import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { S3Settings } from '@/lib/storage/s3-image-store'

// Stands in for an S3-compatible store where a test breaks it. What a real one does is tested with
// a real one: `npm run test:services`.

const PAGE_KEYS = 2

/** `before`: it fails and did nothing. `after`: it did it, and its answer gets lost. */
export type S3Fault = { readonly when: 'before' | 'after'; readonly status: number | 'dropped' }
type Stored = { readonly bytes: Buffer; readonly sha256: string }

export type S3Server = {
  readonly settings: S3Settings
  readonly objects: Map<string, Stored>
  /** What happens to the next requests, one each. */
  readonly faults: S3Fault[]
  readonly requests: string[]
  /** As stores do that never heard of conditions. */
  readonly ignoreConditions: () => void
  readonly close: () => Promise<void>
}

export async function startS3Server(): Promise<S3Server> {
  const objects = new Map<string, Stored>()
  const faults: S3Fault[] = []
  const requests: string[] = []
  let isConditional = true

  async function act(request: IncomingMessage, url: URL): Promise<Answer> {
    const [, bucket, ...parts] = decodeURIComponent(url.pathname).split('/')
    const key = parts.join('/')
    if (bucket !== 'images') return failure(404, 'NoSuchBucket')
    if (request.headers.authorization?.includes('Credential=key/') !== true) {
      return failure(403, 'AccessDenied')
    }
    if (key === '') return { status: 200, body: listing(url) }
    const stored = objects.get(key)
    if (request.method === 'PUT') return put(request, key, stored)
    if (request.method === 'DELETE') {
      objects.delete(key)
      return { status: 204, body: '' }
    }
    if (!stored) return failure(404, 'NoSuchKey')
    return { status: 200, body: stored.bytes, headers: { 'x-amz-meta-sha256': stored.sha256 } }
  }

  async function put(request: IncomingMessage, key: string, stored: Stored | undefined) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const bytes = Buffer.concat(chunks)
    const digest = createHash('md5').update(bytes).digest('base64')
    if (request.headers['content-md5'] !== digest) return failure(400, 'BadDigest')
    if (isConditional && request.headers['if-none-match'] === '*' && stored) {
      return failure(412, 'PreconditionFailed')
    }
    objects.set(key, { bytes, sha256: String(request.headers['x-amz-meta-sha256']) })
    return { status: 200, body: '' }
  }

  function listing(url: URL): string {
    const keys = [...objects.keys()].toSorted()
    const after = url.searchParams.get('continuation-token') ?? ''
    const left = keys.filter((key) => key > after)
    const page = left.slice(0, PAGE_KEYS)
    const isCut = left.length > page.length
    const contents = page.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('')
    const next = isCut ? `<NextContinuationToken>${page.at(-1) ?? ''}</NextContinuationToken>` : ''
    return `<ListBucketResult>${contents}<IsTruncated>${isCut}</IsTruncated>${next}</ListBucketResult>`
  }

  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', 'http://s3')
      requests.push(`${request.method ?? ''} ${url.pathname}`)
      const fault = faults.shift()
      if (fault?.when === 'before') {
        fail(response, fault)
        return
      }
      const answer = await act(request, url)
      if (fault) fail(response, fault)
      else response.writeHead(answer.status, answer.headers).end(answer.body)
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    settings: {
      bucket: 'images',
      region: 'us-east-1',
      endpoint: `http://127.0.0.1:${port}`,
      credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
      isPathStyle: true,
    },
    objects,
    faults,
    requests,
    ignoreConditions: () => (isConditional = false),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

type Answer = {
  readonly status: number
  readonly body: string | Buffer
  readonly headers?: Record<string, string>
}

const failure = (status: number, code: string): Answer => ({
  status,
  body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
})

function fail(response: ServerResponse, { status }: S3Fault): void {
  if (status === 'dropped') response.destroy()
  else {
    const code = status === 503 ? 'SlowDown' : 'InternalError'
    response.writeHead(status).end(failure(status, code).body)
  }
}
