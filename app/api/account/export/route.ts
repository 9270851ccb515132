import { signedOut } from '@/app/api/answers'
import { findUser } from '@/lib/auth/session'
import { deps } from '@/lib/deps'
import { exportAccount } from '@/lib/use-cases/export-account'

/** Everything that is kept of whoever is signed in, as one zip that is sent as it is read. */
export async function GET(): Promise<Response> {
  const user = await findUser()
  if (!user) return signedOut()
  const day = new Date().toISOString().slice(0, 10)
  return new Response(exportAccount(deps(), user.accountId), {
    headers: {
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="darkroom-my-data-${day}.zip"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}
