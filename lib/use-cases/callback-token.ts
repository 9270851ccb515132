import { createHash, createHmac } from 'node:crypto'
import type { AttemptId } from '@/lib/domain/ids'

/**
 * The unguessable part of an attempt's callback address. It is derived, so that the worker can make
 * it again and the database needs to hold no more than its hash.
 */
export function callbackTokenOf(secret: string, attemptId: AttemptId): string {
  return createHmac('sha256', secret).update(`callback:${attemptId}`).digest('base64url')
}

export function callbackTokenHashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
