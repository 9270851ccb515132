import { deps } from '@/lib/deps'
import { checkReadiness } from '@/lib/use-cases/check-readiness'

export const dynamic = 'force-dynamic'

/** 200 when a click made now would lead to an image, 503 naming what is missing otherwise. */
export async function GET(): Promise<Response> {
  const { ready, checks } = await checkReadiness(deps())
  return Response.json(
    { status: ready ? 'ready' : 'not ready', checks },
    { status: ready ? 200 : 503, headers: { 'cache-control': 'no-store' } },
  )
}
