import { createHash, createHmac } from 'node:crypto'
import type { AttemptId } from '@/lib/domain/ids'

/**
 * The unguessable part of an attempt's callback address. It is derived, so that the worker can make
 * it again and the database needs to hold no more than its hash.
 */
export function callbackTokenOf(secret: string, attemptId: AttemptId): string {
  return derived(secret, `callback:${attemptId}`)
}

/** What a provider is given to sign this attempt's callbacks with, where it takes a secret for each. */
export function callbackSecretOf(secret: string, attemptId: AttemptId): string {
  return derived(secret, `callback-secret:${attemptId}`)
}

export function callbackTokenHashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

const derived = (secret: string, purpose: string) =>
  createHmac('sha256', secret).update(purpose).digest('base64url')
