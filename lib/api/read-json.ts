import { ok, refuse, type Result } from '@/lib/domain/result'
import { problemAnswer } from './problem'

// A prompt of the greatest length is 48 kB when every character of it is escaped; one that is much
// too long should still be refused by name.
export const BODY_BYTES_MAX = 1024 * 1024

const MEDIA_TYPE = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i

/** The body as JSON, or the answer that says why it cannot be read. Nothing beyond the bound is read. */
export async function readJson(request: Request): Promise<Result<unknown, Response>> {
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  if (!MEDIA_TYPE.test(request.headers.get('content-type') ?? '') || encoding !== 'identity') {
    return refuse(problemAnswer('unsupported_media_type'))
  }
  const bytes = await readBoundedBody(request, BODY_BYTES_MAX)
  if (!bytes) {
    const detail = `The body is too large: at most ${BODY_BYTES_MAX} bytes are read.`
    return refuse(problemAnswer('body_too_large', { detail }))
  }
  try {
    // Bytes that are not UTF-8 are refused, not replaced: the prompt is kept exactly or not at all.
    return ok(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
  } catch {
    return refuse(problemAnswer('invalid_json'))
  }
}

/** The body whole, or undefined when it is longer than allowed. Nothing beyond the bound is read. */
export async function readBoundedBody(
  request: Request,
  bytesMax: number,
): Promise<Buffer | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) return undefined
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = request.body?.getReader()
  for (;;) {
    const part = await reader?.read()
    if (part === undefined || part.done) return Buffer.concat(chunks)
    length += part.value.length
    if (length > bytesMax) {
      await reader?.cancel()
      return undefined
    }
    chunks.push(part.value)
  }
}
