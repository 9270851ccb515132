import { openApiDocument } from '@/lib/api/openapi'
import { openResource } from '@/lib/api/resource'

// Only a new version of Darkroom changes it.
const CACHING = 'public, max-age=300'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openResource(() =>
  Response.json(openApiDocument(), { headers: { 'cache-control': CACHING } }),
)
