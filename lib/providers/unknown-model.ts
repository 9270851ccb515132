import { createHash } from 'node:crypto'
import type { SubmitReport } from '@/lib/domain/observation'

/**
 * The model was on offer when the attempt was recorded and is not known any more, as after a new
 * release. Nothing is sent, so nothing is made.
 */
export function unknownModel(address: string, model: string): SubmitReport {
  return {
    outcome: {
      kind: 'rejected',
      failure: {
        code: 'provider_unavailable',
        message: 'This model is not offered any more. Choose another one.',
      },
      evidence: { reason: `Nothing was sent: there is no model ${model}.` },
    },
    usage: {
      address,
      requestSha256: createHash('sha256').digest('hex'),
      requestBytes: 0,
      httpStatus: undefined,
      providerRequestId: undefined,
      cost: undefined,
    },
  }
}
