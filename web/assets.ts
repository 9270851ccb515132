import sirv from 'sirv'
import { DATA_POLICY } from '@/lib/api/security-headers'
import type { WebServerParts } from './server'

const PREFIX = '/_next/static'
// The name of each is made of what is in it.
const YEAR_S = 31_536_000

/** The built files, as small as `compressFiles` made them, in what the browser reads. */
export function serveAssets(folder: string): WebServerParts['assets'] {
  const serve = sirv(folder, {
    brotli: true,
    gzip: true,
    etag: true,
    immutable: true,
    maxAge: YEAR_S,
    setHeaders: (response) => response.setHeader('content-security-policy', DATA_POLICY),
  })
  return (request, response, otherwise) => {
    const { url } = request
    if (url === undefined || !url.startsWith(`${PREFIX}/`)) {
      otherwise()
      return
    }
    request.url = url.slice(PREFIX.length)
    serve(request, response, () => {
      request.url = url
      otherwise()
    })
  }
}
