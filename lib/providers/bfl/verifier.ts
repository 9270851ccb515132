import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { TaskId } from '@/lib/domain/ids'
import type { CallbackVerifier, VerifiedCallback } from '@/lib/domain/provider'
import { parseJson } from '@/lib/providers/parse-json'
import { CallbackBody } from './schemas'

const CLAIMS: Readonly<Record<string, VerifiedCallback['claims']>> = {
  Pending: 'working',
  Ready: 'succeeded',
  SUCCESS: 'succeeded',
  Error: 'failed',
  FAILED: 'failed',
  'Request Moderated': 'failed',
  'Content Moderated': 'failed',
}

/**
 * HMAC-SHA256 over the raw bytes with the secret that went with this one submission
 * (https://github.com/black-forest-labs/skills, webhook-integration.md). No time is signed: a
 * callback that is repeated later says of its own attempt what it said before.
 */
export const bflVerifier: CallbackVerifier = {
  verify({ header, body, attemptSecret }) {
    const [, hex] = /^sha256=([0-9a-f]{64})$/i.exec(header('x-bfl-signature') ?? '') ?? []
    if (hex === undefined || attemptSecret === undefined) return Promise.resolve(undefined)
    const expected = createHmac('sha256', attemptSecret).update(body).digest()
    if (!timingSafeEqual(Buffer.from(hex, 'hex'), expected)) return Promise.resolve(undefined)

    const told = CallbackBody.safeParse(parseJson(body.toString('utf8'))).data
    const { id, status = '' } = told ?? {}
    // There is no id of the delivery; every try for one end of one task is the same one.
    const deliveryId =
      id === undefined ? createHash('sha256').update(body).digest('hex') : `${id}:${status}`
    return Promise.resolve({
      deliveryId: deliveryId.slice(0, 200),
      taskId: TaskId.safeParse(id).data,
      claims: Object.hasOwn(CLAIMS, status) ? CLAIMS[status] : undefined,
    })
  },
}
