import { createHmac, randomUUID } from 'node:crypto'
import type { AttemptId } from '@/lib/domain/ids'
import { createSimulatorVerifier } from '@/lib/providers/simulator/verifier'
import { callbackTokenOf } from '@/lib/use-cases/callback-token'
import type { CallbackRequest } from '@/lib/use-cases/receive-callback'

export const WEBHOOK_SECRET = 'the secret of the provider’s callbacks'

/** Checks them, with the right secret or another. */
export const verifiersWith = (secret: string = WEBHOOK_SECRET) =>
  new Map([['simulator', createSimulatorVerifier(secret)]])

type Changes = {
  readonly status?: string
  readonly reference?: string
  readonly secret?: string
  readonly deliveryId?: string
  readonly ageSeconds?: number
  readonly headers?: Readonly<Record<string, string | null>>
  readonly body?: string
}

/** A callback as the provider signs and sends it (Standard Webhooks 1.0.0), but for the changes. */
export function callback(
  about: { readonly id: AttemptId; readonly taskId: string; readonly callbackSecret: string },
  changes: Changes = {},
): CallbackRequest {
  const now = new Date()
  const body = Buffer.from(
    changes.body ??
      JSON.stringify({
        id: about.taskId,
        reference: changes.reference ?? about.id,
        status: changes.status ?? 'succeeded',
        progress: 1,
        result: null,
        error: null,
      }),
  )
  const id = changes.deliveryId ?? randomUUID()
  const timestamp = String(Math.floor(now.getTime() / 1_000) - (changes.ageSeconds ?? 0))
  const signature = createHmac('sha256', changes.secret ?? WEBHOOK_SECRET)
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest('base64')
  const headers: Readonly<Record<string, string | null>> = {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
    ...changes.headers,
  }
  return {
    provider: 'simulator',
    token: callbackTokenOf(about.callbackSecret, about.id),
    header: (name) => headers[name] ?? null,
    body,
    now,
  }
}
