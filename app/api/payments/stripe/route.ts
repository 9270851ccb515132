import { problem } from '@/app/api/answers'
import { readBounded } from '@/app/api/read-bounded'
import { deps } from '@/lib/deps'
import { receivePaymentEvent } from '@/lib/use-cases/record-payment'

// Far above any event about a session, a charge or a dispute.
const BODY_BYTES_MAX = 256 * 1024

/** Verifies the raw bytes, records what they say in one transaction, and answers. */
export async function POST(request: Request): Promise<Response> {
  const body = await readBounded(request, BODY_BYTES_MAX)
  if (!body) return problem(413, 'too_large', 'The event is too large.')
  const outcome = await receivePaymentEvent(deps(), {
    body,
    signature: request.headers.get('stripe-signature') ?? '',
    now: new Date(),
  })
  if (outcome === 'forged') return problem(401, 'not_verified', 'The signature is not valid.')
  return new Response(null, { status: 202 })
}
