import { findSpooled, spoolResult } from '@/lib/db/recovery-store'
import type { AttemptKey, AttemptState, ResultRef } from '@/lib/domain/attempt'
import type { DeliveryOutcome } from '@/lib/domain/delivery'
import type { Generation } from '@/lib/domain/generation'
import type { Output, Provider } from '@/lib/domain/provider'
import { describeError } from '@/lib/providers/describe-error'
import { fetchResult, RESULT_BYTES_MAX } from '@/lib/providers/fetch-result'
import { decoder, DecoderError, type Decoder } from '@/lib/storage/decoder-process'
import { ImageConflictError, type ImageStore } from '@/lib/storage/image-store'
import type { Inspection } from '@/lib/storage/inspect-image'
import { sha256Of } from '@/lib/storage/sha256'
import { answerKeyOf, artworkKeyOf, copyKeyOf } from '@/lib/storage/object-keys'
import type { WorkerDeps } from './deps'

type DeliveryDeps = Pick<WorkerDeps, 'db' | 'images' | 'log' | 'trace' | 'allowPrivateResultHosts'>

export type Deliverable = {
  readonly key: AttemptKey
  readonly state: Extract<AttemptState, { readonly state: 'delivering' | 'storage_failed' }>
  readonly generation: Pick<Generation, 'model'>
}

const OUTPUT_TIMEOUT_MS = 30_000
// How long the store is waited for while bytes that exist nowhere else are held in memory.
const SECURE_TIMEOUT_MS = 10_000
// At most this many results wait in the database for the image store: with images of a few
// megabytes, what an hour's outage brings on one machine, and a bound that a disk can bear. Bytes
// that nobody can give again are let in when the others are not any more.
const SPOOL_ROWS_MAX = 256
const SPOOL_ROWS_MAX_FOR_ONLY_COPIES = 1_024

/**
 * Fetches, checks, stores and reads back, in that order. Repeating it writes the same object under
 * the same key, so a crash anywhere in it costs nothing but time. Bytes that could not be checked
 * or stored wait in the spool, so that the provider may forget its copy.
 */
export async function deliverResult(
  deps: DeliveryDeps,
  claimed: Deliverable,
  provider: Pick<Provider, 'trustedOrigins' | 'fetchOutput'>,
  { inspect, start }: Pick<Decoder, 'inspect' | 'start'> = decoder(),
): Promise<DeliveryOutcome> {
  const { key } = claimed
  // While the bytes are on their way.
  start()
  const found = await deps.trace.within('result.fetch', {}, () =>
    findBytes(deps, claimed, provider),
  )
  if (!found.ok) {
    deps.log.warn(
      { attemptId: key.id, accountId: key.accountId, reason: found.reason },
      'result not fetched',
    )
    return found.gone === true
      ? { kind: 'gone', reason: found.reason }
      : { kind: 'not-yet', stage: found.stage, reason: found.reason }
  }
  try {
    const inspection = await deps.trace.within('image.decode', {}, () => inspect(found.bytes))
    if (!inspection.ok) {
      return { kind: 'unusable', reason: inspection.reason, sha256: inspection.sha256 }
    }
    const { objectKey, image, thumbnail } =
      found.objectKey === undefined
        ? await storeImage(deps.images, key, found.bytes, inspection, inspect)
        : { ...inspection, objectKey: found.objectKey }
    keepThumbnail(deps, key, objectKey, thumbnail)
    return { kind: 'stored', image: { ...image, objectKey } }
  } catch (error) {
    // A full disk, an unreachable store, a decoder that died: the image exists, and the same
    // result is taken up again later.
    const isKept = found.spooled || found.objectKey !== undefined
    const spool = isKept ? 'kept' : await spooled(deps, key, found.bytes)
    deps.log.warn({ err: error, attemptId: key.id, spool }, 'image not stored')
    const reason =
      error instanceof DecoderError
        ? `The image could not be checked: ${error.message}.`
        : describeError(error)
    return { kind: 'not-yet', stage: 'store', reason }
  }
}

/** Nobody waits for it and nothing depends on it: without it lists show the image itself. */
function keepThumbnail(
  deps: Pick<WorkerDeps, 'images' | 'log'>,
  key: AttemptKey,
  objectKey: string,
  thumbnail: Buffer | undefined,
): void {
  if (!thumbnail) return
  deps.images.put(copyKeyOf(objectKey, 'thumb'), thumbnail).catch((error: unknown) => {
    deps.log.warn({ err: error, attemptId: key.id }, 'thumbnail not stored')
  })
}

/**
 * Keeps the bytes that came with an answer and exist nowhere else, in the image store or else in
 * the spool, before anything is known of them. Undefined when both refused.
 */
export async function secureImage(
  deps: Pick<WorkerDeps, 'db' | 'images' | 'log'>,
  key: AttemptKey,
  bytes: Buffer,
  timeoutMs = SECURE_TIMEOUT_MS,
): Promise<Extract<ResultRef, { readonly from: 'store' | 'spool' }> | undefined> {
  const sha256 = sha256Of(bytes)
  try {
    await within(timeoutMs, storeAnswer(deps.images, answerKeyOf(key, sha256), bytes))
    return { from: 'store', sha256 }
  } catch (error) {
    deps.log.warn({ err: error, attemptId: key.id }, 'answer not stored')
  }
  const spool = await spooled(deps, key, bytes, SPOOL_ROWS_MAX_FOR_ONLY_COPIES)
  if (spool !== 'kept') return undefined
  // What an earlier answer to the same attempt left there is the attempt's image: the first wins.
  const present = await findSpooled(deps.db, key).catch(() => undefined)
  return present && { from: 'spool', sha256: sha256Of(present) }
}

async function storeAnswer(images: ImageStore, objectKey: string, bytes: Buffer): Promise<void> {
  await images.put(objectKey, bytes)
  const readBack = await images.get(objectKey)
  if (readBack?.equals(bytes) !== true)
    throw new Error('What was read back is not what was stored.')
}

/** The spool is the second place to go: its own trouble is told and passed over. */
async function spooled(
  deps: Pick<WorkerDeps, 'db' | 'log'>,
  key: AttemptKey,
  bytes: Buffer,
  rowsMax = SPOOL_ROWS_MAX,
): Promise<'kept' | 'full' | 'refused'> {
  try {
    return await spoolResult(deps.db, key, bytes, rowsMax)
  } catch (error) {
    deps.log.error({ err: error, attemptId: key.id }, 'result not spooled')
    return 'refused'
  }
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

type Found =
  | {
      readonly ok: true
      readonly bytes: Buffer
      readonly spooled: boolean
      /** Where they are stored already, read back and checked. */
      readonly objectKey?: string
    }
  | {
      readonly ok: false
      readonly stage: 'fetch' | 'store'
      readonly reason: string
      readonly gone?: boolean
    }

async function findBytes(
  deps: DeliveryDeps,
  claimed: Deliverable,
  provider: Pick<Provider, 'trustedOrigins' | 'fetchOutput'>,
): Promise<Found> {
  const { key, state } = claimed
  const { result } = state
  if ('from' in result && result.from === 'store') return findStored(deps, key, result.sha256)
  const isSpooled = 'from' in result && result.from === 'spool'
  // An earlier try may have left them there.
  if (isSpooled || state.state === 'storage_failed') {
    const bytes = await findSpooled(deps.db, key)
    if (bytes && (!isSpooled || sha256Of(bytes) === result.sha256)) {
      return { ok: true, bytes, spooled: true }
    }
  }
  if (isSpooled) {
    return { ok: false, stage: 'store', reason: 'The spool does not have the image that it took.' }
  }
  const output =
    'url' in result
      ? await fetchResult(result.url, {
          trustedOrigins: provider.trustedOrigins,
          allowPrivateHosts: deps.allowPrivateResultHosts,
        })
      : await askForOutput(claimed, provider)
  return output.ok
    ? { ok: true, bytes: output.bytes, spooled: false }
    : { ok: false, stage: 'fetch', reason: output.reason, gone: output.gone }
}

async function findStored(deps: DeliveryDeps, key: AttemptKey, sha256: string): Promise<Found> {
  const objectKey = answerKeyOf(key, sha256)
  try {
    const bytes = await deps.images.get(objectKey)
    return bytes && sha256Of(bytes) === sha256
      ? { ok: true, bytes, spooled: false, objectKey }
      : { ok: false, stage: 'store', reason: 'The store does not have the image that it took.' }
  } catch (error) {
    // An unreachable store: the image is in it, and is looked for again.
    return { ok: false, stage: 'store', reason: describeError(error) }
  }
}

async function askForOutput(
  { state: { taskId }, generation }: Deliverable,
  provider: Pick<Provider, 'fetchOutput'>,
): Promise<Output> {
  if (!provider.fetchOutput || taskId === undefined) {
    return { ok: false, reason: 'The image service cannot be asked for this result.', gone: false }
  }
  const signal = AbortSignal.timeout(OUTPUT_TIMEOUT_MS)
  const output = await provider.fetchOutput(taskId, generation.model, signal)
  return output.ok && output.bytes.length > RESULT_BYTES_MAX
    ? { ok: false, reason: `The result is larger than ${RESULT_BYTES_MAX} bytes.`, gone: false }
    : output
}

type Usable = Extract<Inspection, { readonly ok: true }>

/**
 * Stores and reads back. A crash may have left an earlier fetch of the same result under the key,
 * and its bytes may differ: the first object wins, if it is an image.
 */
async function storeImage(
  images: ImageStore,
  key: AttemptKey,
  bytes: Buffer,
  fetched: Usable,
  inspect: Decoder['inspect'],
): Promise<Usable & { readonly objectKey: string }> {
  const objectKey = artworkKeyOf(key, fetched.image.contentType)
  const conflict = await images.put(objectKey, bytes).then(
    () => false,
    (error: unknown) => {
      if (error instanceof ImageConflictError) return true
      throw error
    },
  )
  const readBack = await images.get(objectKey)
  if (readBack && sha256Of(readBack) === fetched.image.sha256) return { ...fetched, objectKey }
  const present = readBack && conflict ? await inspect(readBack) : undefined
  if (present?.ok !== true) throw new Error('What was read back is not what was stored.')
  return { ...present, objectKey }
}
