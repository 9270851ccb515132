import { createHash } from 'node:crypto'
import type { CallbackVerifier, VerifiedCallback } from '@/lib/domain/provider'
import { parseJson } from '@/lib/providers/parse-json'
import { Answer, Item, RunwareError, TaskUuid } from './schemas'

/**
 * Runware signs nothing (https://runware.ai/docs/platform/webhooks). What proves a callback is the
 * unguessable part of its address, which only Runware was told: that an attempt was found by it shows
 * in its secret. A try again has the same body, and there is no other name for a delivery.
 */
export function createRunwareVerifier(): CallbackVerifier {
  return {
    verify({ body, attemptSecret }) {
      const told = attemptSecret === undefined ? undefined : toldIn(body)
      return Promise.resolve(
        told && { deliveryId: createHash('sha256').update(body).digest('hex'), ...told },
      )
    },
  }
}

/** A callback is the task itself; how a failed one looks is not documented, so both forms are read. */
function toldIn(body: Buffer): Pick<VerifiedCallback, 'taskId' | 'claims'> | undefined {
  const json = parseJson(body.toString('utf8'))
  const listed = Answer.safeParse(json).data
  const error = RunwareError.safeParse(json).data ?? listed?.errors[0]
  const item = Item.safeParse(json).data ?? listed?.items[0]
  const taskId = TaskUuid.safeParse(item?.taskUUID ?? error?.taskUUID).data
  if (taskId === undefined) return undefined
  return { taskId, claims: error === undefined ? claimsOf(item) : 'failed' }
}

function claimsOf(item: Item | undefined): VerifiedCallback['claims'] {
  switch (item?.status ?? '') {
    case 'processing':
      return 'working'
    case 'error':
      return 'failed'
    case 'success':
      return 'succeeded'
    default:
      return item?.imageURL === undefined ? undefined : 'succeeded'
  }
}
