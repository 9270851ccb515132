import { problem, signedOut } from '@/app/api/answers'
import { findVisitor } from '@/lib/auth/visitor'
import { deps } from '@/lib/deps'
import { packPictures } from '@/lib/use-cases/pack-pictures'

/** `?ids=a,b`: those pictures as one zip, sent as they are read. */
export async function GET(request: Request): Promise<Response> {
  const visitor = await findVisitor()
  if (!visitor) return signedOut()
  const ids = (new URL(request.url).searchParams.get('ids') ?? '').split(',')
  const packed = await packPictures(deps(), visitor.accountId, ids)
  if (!packed.ok) {
    const { code, message } = packed.refusal
    return code === 'nothing'
      ? problem(404, 'not_found', message)
      : problem(413, code.replace('-', '_'), message)
  }
  const day = new Date().toISOString().slice(0, 10)
  return new Response(packed.value, {
    headers: {
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="darkroom-${day}.zip"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}
