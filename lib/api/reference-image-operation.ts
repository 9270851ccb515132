import {
  keepImageForReference,
  REFERENCE_IMAGE_BYTES_MAX,
  type ReferenceImageRefusal,
} from '@/lib/use-cases/reference-images'
import { problemAnswer } from './problem'
import { readBoundedBody } from './read-json'
import { json, unauthorized, type Call } from './resource'

const MEDIA_TYPE = /^(image\/(png|jpeg|webp)|application\/octet-stream)$/i

/** Keeps the body as an image that attempts can be made after. */
export async function keepReferenceImageOperation({
  deps,
  request,
  accountId,
}: Call): Promise<Response> {
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  if (!MEDIA_TYPE.test(request.headers.get('content-type') ?? '') || encoding !== 'identity') {
    const detail = 'Send the bytes of the image as image/png, image/jpeg or image/webp.'
    return problemAnswer('unsupported_media_type', { detail })
  }
  const bytes = await readBoundedBody(request, REFERENCE_IMAGE_BYTES_MAX)
  if (!bytes) return problemAnswer('body_too_large', { detail: TOO_LARGE })
  const kept = await keepImageForReference(deps, accountId, bytes)
  return kept.ok ? json(kept.value) : refusalAnswer(request, kept.refusal)
}

const TOO_LARGE = `A reference image may have up to ${REFERENCE_IMAGE_BYTES_MAX} bytes.`

function refusalAnswer(request: Request, { code, message }: ReferenceImageRefusal): Response {
  switch (code) {
    case 'too-large':
      return problemAnswer('body_too_large', { detail: TOO_LARGE })
    case 'not-an-image':
    case 'too-many':
      return problemAnswer('invalid_input', { errors: [{ field: 'body', message }] })
    case 'account-suspended':
      return unauthorized(request)
  }
}
