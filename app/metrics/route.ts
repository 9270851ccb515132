import { problem } from '@/app/api/answers'
import { deps } from '@/lib/deps'
import { environment } from '@/lib/env'
import { readMetrics } from '@/lib/use-cases/read-metrics'
import { mayReadMetrics } from '@/lib/api/metrics-guard'

export const dynamic = 'force-dynamic'

/** The figures of this installation as Prometheus reads them. */
export async function GET(request: Request): Promise<Response> {
  const { METRICS_TOKEN: token, APP_URL: appUrl } = environment()
  if (!mayReadMetrics(request.headers, { token, appUrl })) {
    return problem(401, 'token_needed', 'Send METRICS_TOKEN as a bearer token.')
  }
  const { text, contentType } = await readMetrics(deps())
  return new Response(text, {
    headers: { 'content-type': contentType, 'cache-control': 'no-store' },
  })
}
