import { notFound } from '@/app/api/answers'
import { findUser } from '@/lib/auth/session'
import { deps } from '@/lib/deps'
import { exportAdminAttempts } from '@/lib/use-cases/export-admin-attempts'

/** The list of attempts as it is filtered, as a file for spreadsheets. */
export async function GET(request: Request): Promise<Response> {
  const user = await findUser()
  const query = Object.fromEntries(new URL(request.url).searchParams)
  const stream = user && exportAdminAttempts(deps(), user, { ...query, cursor: undefined })
  if (!stream) return notFound()
  const day = new Date().toISOString().slice(0, 10)
  return new Response(stream, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="darkroom-attempts-${day}.csv"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}
