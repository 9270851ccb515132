import { notFound } from '@/app/api/answers'
import { findUser } from '@/lib/auth/session'
import { deps } from '@/lib/deps'
import { exportLedger } from '@/lib/use-cases/review-ledger'

/** Every line of every account's ledger, as a file for spreadsheets. */
export async function GET(): Promise<Response> {
  const user = await findUser()
  const stream = user && exportLedger(deps(), user)
  if (!stream) return notFound()
  const day = new Date().toISOString().slice(0, 10)
  return new Response(stream, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="darkroom-ledger-${day}.csv"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}
