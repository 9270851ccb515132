import { problem } from '@/app/api/answers'
import { readBounded } from '@/app/api/read-bounded'
import { callbackVerifiers, deps } from '@/lib/deps'
import { receiveCallback } from '@/lib/use-cases/receive-callback'

// Standard Webhooks asks senders to stay below 20 kB.
const BODY_BYTES_MAX = 256 * 1024

/** Verifies the raw bytes, stores them, answers at once. The work that they call for is the worker's. */
export async function POST(
  request: Request,
  { params }: { readonly params: Promise<{ readonly provider: string; readonly token: string }> },
): Promise<Response> {
  const body = await readBounded(request, BODY_BYTES_MAX)
  if (!body) return problem(413, 'too_large', 'The callback is too large.')
  const outcome = await receiveCallback(
    { ...deps(), verifiers: callbackVerifiers() },
    {
      ...(await params),
      header: (name) => request.headers.get(name),
      body,
      now: new Date(),
    },
  )
  if (outcome === 'forged') return problem(401, 'not_verified', 'The signature is not valid.')
  return new Response(null, { status: 202 })
}
