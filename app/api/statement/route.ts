import { signedOut } from '@/app/api/answers'
import { findVisitor } from '@/lib/auth/visitor'
import { deps } from '@/lib/deps'
import { exportStatement } from '@/lib/use-cases/export-statement'

/** The account's whole statement as a file for spreadsheets, sent as it is read. */
export async function GET(): Promise<Response> {
  const visitor = await findVisitor()
  if (!visitor) return signedOut()
  const day = new Date().toISOString().slice(0, 10)
  return new Response(exportStatement(deps(), visitor.accountId), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="darkroom-statement-${day}.csv"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}
