import { createHash, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { ImageConflictError, type ImageStore } from './image-store'
import { sha256Of } from './sha256'

export type S3Settings = {
  readonly bucket: string
  readonly region: string
  /** Unset: Amazon's own. */
  readonly endpoint: string | undefined
  /** Unset: those of the machine, as the SDK finds them. */
  readonly credentials:
    { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
  /** Whether the bucket is in the path rather than in the host's name. */
  readonly isPathStyle: boolean
}

const CONNECT_MS_MAX = 3_000
// An image of the largest size through a slow line.
const REQUEST_MS_MAX = 30_000
// Every request may be repeated: a put is refused when its object exists, and is compared then.
const TRIES = 3
// Two puts at once: one of them is told to come again.
const CONFLICT = 409
const EXISTS = 412
const ABSENT = 404

const S3Error = z.object({ $metadata: z.object({ httpStatusCode: z.number() }) })
const statusOf = (error: unknown): number | undefined =>
  S3Error.safeParse(error).data?.$metadata.httpStatusCode

/**
 * Objects of one bucket of an S3-compatible store. It must honour `If-None-Match: *` on puts (Amazon
 * since 2024-08, Ceph, Cloudflare R2, MinIO), for nothing else keeps the first object; `check` makes sure.
 */
export function createS3ImageStore(settings: S3Settings): ImageStore {
  const { bucket: Bucket } = settings
  let opened: ReturnType<typeof openClient> | undefined
  // Loaded when first used: whoever keeps files loads none of it.
  const open = async () => (opened ??= openClient(settings))
  let isConditional = false

  async function get(key: string): Promise<Buffer | undefined> {
    const { s3, client } = await open()
    try {
      const answer = await client.send(new s3.GetObjectCommand({ Bucket, Key: key }))
      const bytes = Buffer.from((await answer.Body?.transformToByteArray()) ?? [])
      const expected = answer.Metadata?.['sha256']
      if (expected !== undefined && expected !== sha256Of(bytes)) {
        throw new Error(`the object ${key} is not what was stored`)
      }
      return bytes
    } catch (error) {
      if (statusOf(error) === ABSENT && !isBucketMissing(error)) return undefined
      throw error
    }
  }

  /** Whether it was stored now; false when there is an object already. */
  async function create(key: string, bytes: Buffer): Promise<boolean> {
    const { s3, client } = await open()
    const put = new s3.PutObjectCommand({
      Bucket,
      Key: key,
      Body: bytes,
      IfNoneMatch: '*',
      // The store refuses what did not arrive as it was sent. MD5 is the one that all of them check.
      ContentMD5: createHash('md5').update(bytes).digest('base64'),
      Metadata: { sha256: sha256Of(bytes) },
    })
    for (let tries = 1; ; tries += 1) {
      try {
        await client.send(put)
        return true
      } catch (error) {
        if (statusOf(error) === EXISTS) return false
        if (statusOf(error) !== CONFLICT || tries === TRIES) throw error
      }
    }
  }

  async function remove(key: string): Promise<void> {
    const { s3, client } = await open()
    await client.send(new s3.DeleteObjectCommand({ Bucket, Key: key }))
  }

  return {
    get,
    remove,

    async put(key, bytes) {
      if (await create(key, bytes)) return
      // Another's, or our own whose answer got lost.
      if ((await get(key))?.equals(bytes) !== true) {
        throw new ImageConflictError(`another object is stored under ${key}`)
      }
    },

    async check() {
      const key = `.probes/${randomUUID()}`
      try {
        await create(key, Buffer.from('probe'))
        isConditional ||= !(await create(key, Buffer.from('other')))
        if (!isConditional) throw new Error('the store replaces objects despite If-None-Match: *')
      } finally {
        await remove(key)
      }
    },

    async *list() {
      yield* keysOf(await open(), Bucket)
    },
  }
}

async function* keysOf({ s3, client }: Opened, Bucket: string): AsyncGenerator<string> {
  for await (const page of s3.paginateListObjectsV2({ client }, { Bucket })) {
    for (const { Key } of page.Contents ?? []) {
      if (Key !== undefined && !Key.startsWith('.')) yield Key
    }
  }
}

type Opened = Awaited<ReturnType<typeof openClient>>

const NamedError = z.object({ name: z.string() })
// A wrong setting must not read as an image that is gone.
const isBucketMissing = (error: unknown) =>
  NamedError.safeParse(error).data?.name === 'NoSuchBucket'

async function openClient({ region, endpoint, credentials, isPathStyle }: S3Settings) {
  // It would say at every start that later versions of it want a later Node.js. This one is pinned.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true'
  const s3 = await import('@aws-sdk/client-s3')
  const client = new s3.S3Client({
    region,
    forcePathStyle: isPathStyle,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
    // Not every store knows the newer checksums; ours are in the headers that all of them know.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: TRIES,
    requestHandler: {
      connectionTimeout: CONNECT_MS_MAX,
      requestTimeout: REQUEST_MS_MAX,
      throwOnRequestTimeout: true,
    },
  })
  return { s3, client }
}
