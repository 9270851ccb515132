import { deps } from '@/lib/deps'
import { checkReadiness } from '@/lib/use-cases/check-readiness'

export const dynamic = 'force-dynamic'

/**
 * 200 when a click made now would lead to an image, 503 naming what is missing otherwise. With
 * `?of=web`, for balancers, a missing worker is said and does not count.
 */
export async function GET(request: Request): Promise<Response> {
  const of = new URL(request.url).searchParams.get('of') === 'web' ? 'web' : 'all'
  const readiness = await checkReadiness(deps(), of)
  return Response.json(readiness, {
    status: readiness.status === 'not ready' ? 503 : 200,
    headers: { 'cache-control': 'no-store' },
  })
}
