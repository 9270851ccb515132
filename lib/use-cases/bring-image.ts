import { findAttemptForReview } from '@/lib/db/attempt-reader'
import { AttemptId } from '@/lib/domain/ids'
import { ok, refuse, type Result } from '@/lib/domain/result'
import { mayAct } from '@/lib/domain/role'
import { structureOf } from '@/lib/storage/image-structure'
import { answerKeyOf } from '@/lib/storage/object-keys'
import { sha256Of } from '@/lib/storage/sha256'
import type { Deps } from './deps'
import type { Admin } from './perform-admin-act'

/** What a delivery may have. */
export const BROUGHT_BYTES_MAX = 64 * 1024 * 1024

export type BringRefusal = {
  readonly code: 'not-admin' | 'not-found' | 'not-an-image'
  readonly message: string
}

/**
 * Keeps an image that an admin has of an attempt, under its digest, for the act that names it. Nothing
 * is believed of it yet: a worker decodes it first.
 */
export async function bringImage(
  deps: Deps,
  admin: Admin,
  id: string,
  bytes: Buffer,
): Promise<Result<{ readonly sha256: string }, BringRefusal>> {
  if (!mayAct(admin.role, 'record-delivery')) {
    return refuse({ code: 'not-admin', message: 'Your role may not do this.' })
  }
  const attemptId = AttemptId.safeParse(id).data
  const found = attemptId && (await findAttemptForReview(deps.db, attemptId))
  if (!found) return refuse({ code: 'not-found', message: 'There is no attempt with this id.' })
  const structure = structureOf(bytes)
  if (structure?.end === undefined || structure.isAnimated) {
    const message = 'Choose a whole PNG, JPEG or WebP file that is not animated.'
    return refuse({ code: 'not-an-image', message })
  }
  const sha256 = sha256Of(bytes)
  const { attempt } = found
  await deps.images.put(
    answerKeyOf({ id: attempt.id, accountId: attempt.accountId }, sha256),
    bytes,
  )
  return ok({ sha256 })
}
