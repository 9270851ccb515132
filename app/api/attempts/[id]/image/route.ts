import { notFound, signedOut } from '@/app/api/answers'
import { findUser } from '@/lib/auth/session'
import { deps } from '@/lib/deps'
import { readImage } from '@/lib/use-cases/read-attempts'

/**
 * The bytes as they were stored. They never change, so the browser keeps them; nobody between may.
 * Whatever they contain, a browser shows them as a picture and runs nothing.
 */
export async function GET(
  request: Request,
  { params }: { readonly params: Promise<{ readonly id: string }> },
): Promise<Response> {
  const user = await findUser()
  if (!user) return signedOut()
  const image = await readImage(deps(), user.accountId, (await params).id)
  if (!image) return notFound()
  const etag = `"${image.sha256}"`
  const headers = {
    etag,
    'cache-control': 'private, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  }
  if (request.headers.get('if-none-match') === etag) {
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
