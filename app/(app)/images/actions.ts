'use server'

import { z } from 'zod'
import { findVisitor } from '@/lib/auth/visitor'
import { deps } from '@/lib/deps'
import { refuse, type Result } from '@/lib/domain/result'
import { deletePictures, setFavourites, type PicturesRefusal } from '@/lib/use-cases/keep-pictures'
import { sharePicture, withdrawShare } from '@/lib/use-cases/share-picture'
import type { ShareView } from '@/lib/web/views'

// The session or the guest's cookie says whose pictures they are: another's are passed over.

type Refusal = PicturesRefusal | { readonly code: 'signed-out' }

const SIGNED_OUT = { code: 'signed-out' } as const

export async function setFavouritesAction(
  ids: unknown,
  isOn: unknown,
): Promise<Result<{ readonly changed: number }, Refusal>> {
  const visitor = await findVisitor()
  if (!visitor) return refuse(SIGNED_OUT)
  return setFavourites(deps(), visitor.accountId, ids, isOn === true)
}

export async function deletePicturesAction(
  ids: unknown,
): Promise<Result<{ readonly deleted: readonly string[] }, Refusal>> {
  const visitor = await findVisitor()
  if (!visitor) return refuse(SIGNED_OUT)
  return deletePictures(deps(), visitor.accountId, ids)
}

/** The picture's link, or null: there is no such picture, or nobody is signed in. */
export async function sharePictureAction(
  id: unknown,
  showsPrompt: unknown,
): Promise<ShareView | null> {
  const visitor = await findVisitor()
  const attemptId = z.string().safeParse(id).data
  if (!visitor || attemptId === undefined) return null
  return (await sharePicture(deps(), visitor.accountId, attemptId, showsPrompt === true)) ?? null
}

/** True: the link is withdrawn, or never was. */
export async function withdrawShareAction(id: unknown): Promise<boolean> {
  const visitor = await findVisitor()
  const attemptId = z.string().safeParse(id).data
  if (!visitor || attemptId === undefined) return false
  await withdrawShare(deps(), visitor.accountId, attemptId)
  return true
}
