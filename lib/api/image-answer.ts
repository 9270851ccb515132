import { COPY_SIZES, type CopySize } from '@/lib/domain/delivery'

/** The copy that `?size=` names, or else the image itself. */
export function imageSize(request: Request): CopySize | 'full' {
  const asked = new URL(request.url).searchParams.get('size')
  return COPY_SIZES.find((size) => size === asked) ?? 'full'
}

/**
 * The bytes of an image as they were stored. Whatever they contain, a browser shows them as a
 * picture and runs nothing. `caching` says who may keep them.
 */
export function imageAnswer(
  request: Request,
  image: { readonly bytes: Buffer; readonly contentType: string; readonly sha256: string },
  caching: string,
): Response {
  const etag = `"${image.sha256}"`
  const headers = {
    etag,
    'cache-control': caching,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  }
  if (matches(request.headers.get('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers })
  }
  return new Response(new Uint8Array(image.bytes), {
    headers: {
      ...headers,
      'content-type': image.contentType,
      'content-length': String(image.bytes.length),
    },
  })
}

/** A list of tags, compared weakly, as RFC 9110, 13.1.2 has it. */
function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(etag)
}
