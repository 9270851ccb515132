import { z } from 'zod'
import {
  deletePictures as deleteFromDatabase,
  findFilesToRemove,
  noteFilesRemoved,
  setFavourites as setInDatabase,
  type DeletedPicture,
} from '@/lib/db/gallery-store'
import { COPY_SIZES } from '@/lib/domain/delivery'
import { PICTURES_AT_ONCE_MAX } from '@/lib/domain/gallery'
import { AttemptId, type AccountId } from '@/lib/domain/ids'
import { ok, refuse, type Result } from '@/lib/domain/result'
import { copyKeyOf } from '@/lib/storage/object-keys'
import type { Deps } from './deps'

const PictureIds = z.array(AttemptId).min(1).max(PICTURES_AT_ONCE_MAX)

/** Not between 1 and the most that can be named at once. */
export type PicturesRefusal = { readonly code: 'invalid-input' }

const INVALID: PicturesRefusal = { code: 'invalid-input' }

/** Which of them are another's, or no pictures, is passed over: the answer counts the rest. */
export async function setFavourites(
  deps: Pick<Deps, 'db'>,
  accountId: AccountId,
  ids: unknown,
  isOn: boolean,
): Promise<Result<{ readonly changed: number }, PicturesRefusal>> {
  const parsed = PictureIds.safeParse(ids)
  if (!parsed.success) return refuse(INVALID)
  return ok({ changed: await setInDatabase(deps.db, accountId, parsed.data, isOn) })
}

/**
 * Deletes pictures: from the moment that this is committed nobody is shown them. The attempts, their
 * history and every line about money stay. The files go right after, and are looked for once more
 * later, for a copy may be written as late as that.
 */
export async function deletePictures(
  deps: Pick<Deps, 'db' | 'images' | 'log'>,
  accountId: AccountId,
  ids: unknown,
): Promise<Result<{ readonly deleted: readonly AttemptId[] }, PicturesRefusal>> {
  const parsed = PictureIds.safeParse(ids)
  if (!parsed.success) return refuse(INVALID)
  const deleted = await deleteFromDatabase(deps.db, accountId, parsed.data)
  for (const picture of deleted) await removeFiles(deps, picture)
  return ok({ deleted: deleted.map(({ key }) => key.id) })
}

// Long after a copy that was being written at the deletion is written.
const FILES_SETTLED_MS = 60_000
const SWEEP_LIMIT = 20

/** Removes what is left of deleted pictures' files, until it is certain that nothing is. */
export async function sweepDeletedPictures(
  deps: Pick<Deps, 'db' | 'images' | 'log'>,
): Promise<void> {
  const limits = { settledMs: FILES_SETTLED_MS, limit: SWEEP_LIMIT }
  for (const picture of await findFilesToRemove(deps.db, limits)) {
    if (await removeFiles(deps, picture)) await noteFilesRemoved(deps.db, picture.key)
  }
}

/** May be done again. What does not work now is tried again by the sweep. */
async function removeFiles(
  deps: Pick<Deps, 'images' | 'log'>,
  { key, objectKey }: DeletedPicture,
): Promise<boolean> {
  try {
    for (const size of COPY_SIZES) await deps.images.remove(copyKeyOf(objectKey, size))
    await deps.images.remove(objectKey)
    return true
  } catch (error) {
    deps.log.warn({ err: error, attemptId: key.id }, 'files of a deleted picture not removed')
    return false
  }
}
