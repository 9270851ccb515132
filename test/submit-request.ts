import { AttemptId } from '@/lib/domain/ids'
import type { SubmitRequest } from '@/lib/domain/provider'

/** As attempts are: version 7. */
export const ATTEMPT_ID = AttemptId.parse('019a0000-0000-7000-8000-000000000001')

/** What a worker asks of a provider, for tests of its adapter. */
export function submitRequest(
  overrides: Partial<SubmitRequest> & Pick<SubmitRequest, 'model'>,
): SubmitRequest {
  return {
    reference: ATTEMPT_ID,
    prompt: 'a red fox in the snow',
    settings: { width: 1024, height: 1024 },
    referenceImages: [],
    callbackUrl: undefined,
    callbackSecret: 'the-secret-of-one-attempt',
    ...overrides,
  }
}

/** What a submission or a look carried, as JSON. */
export function jsonOf(heard: { readonly body: Buffer } | undefined): unknown {
  const parsed: unknown = JSON.parse(heard?.body.toString('utf8') ?? 'null')
  return parsed
}
