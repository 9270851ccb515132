import { createHash, createHmac } from 'node:crypto'
import {
  findShare,
  findShared,
  sharePicture as shareInDatabase,
  withdrawShare as withdraw,
} from '@/lib/db/share-store'
import type { CopySize } from '@/lib/domain/delivery'
import { AttemptId, type AccountId } from '@/lib/domain/ids'
import type { AttemptView, ShareView } from '@/lib/web/views'
import type { Deps } from './deps'
import { readAttempt, readImage, type ImageToShow } from './read-attempts'

type ShareDeps = Pick<Deps, 'db' | 'callbackSecret' | 'newId'>

/**
 * The unguessable part of a link. It is derived, so that its owner can be shown it again while the
 * database holds no more than its hash.
 */
const tokenOf = (secret: string, shareId: string) =>
  createHmac('sha256', secret).update(`share:${shareId}`).digest('base64url')
const hashOf = (token: string) => createHash('sha256').update(token).digest()
const TOKEN_FORM = /^[A-Za-z0-9_-]{43}$/

/** The picture's link, or undefined: not shared, or not the account's. */
export async function readShare(
  deps: Pick<Deps, 'db' | 'callbackSecret'>,
  accountId: AccountId,
  id: string,
): Promise<ShareView | undefined> {
  const attemptId = AttemptId.safeParse(id).data
  const share = attemptId && (await findShare(deps.db, { id: attemptId, accountId }))
  return (
    share && {
      url: `/s/${tokenOf(deps.callbackSecret, share.id)}`,
      shows_prompt: share.shows_prompt,
      created_at: share.created_at.toISOString(),
    }
  )
}

/**
 * Makes a link under which anybody sees the picture, and the prompt only if its owner wants that. A
 * picture has one link: shared again, it keeps it. Undefined: it is not the account's picture.
 */
export async function sharePicture(
  deps: ShareDeps,
  accountId: AccountId,
  id: string,
  showsPrompt: boolean,
): Promise<ShareView | undefined> {
  const attemptId = AttemptId.safeParse(id).data
  if (!attemptId) return undefined
  const shareId = deps.newId()
  const tokenHash = hashOf(tokenOf(deps.callbackSecret, shareId))
  const share = { id: shareId, tokenHash, showsPrompt }
  await shareInDatabase(deps.db, { id: attemptId, accountId }, share)
  return readShare(deps, accountId, attemptId)
}

/** From its next request on the link shows nothing. Shared again, the picture gets another one. */
export async function withdrawShare(
  deps: Pick<Deps, 'db'>,
  accountId: AccountId,
  id: string,
): Promise<void> {
  const attemptId = AttemptId.safeParse(id).data
  if (attemptId) await withdraw(deps.db, { id: attemptId, accountId })
}

export type SharedPicture = {
  readonly artwork: NonNullable<AttemptView['artwork']>
  /** Undefined unless its owner shows it. */
  readonly prompt: string | undefined
}

/** What a link shows to whoever has it. Undefined: never made, withdrawn, or the picture is deleted. */
export async function readShared(deps: Deps, token: string): Promise<SharedPicture | undefined> {
  const shared = TOKEN_FORM.test(token) ? await findShared(deps.db, hashOf(token)) : undefined
  const attempt = shared && (await readAttempt(deps, shared.key.accountId, shared.key.id))
  if (!attempt?.artwork) return undefined
  return { artwork: { ...attempt.artwork, url: `/s/${token}/image` }, prompt: shared?.prompt }
}

export async function readSharedImage(
  deps: Deps,
  token: string,
  size: CopySize | 'full',
): Promise<ImageToShow | undefined> {
  const shared = TOKEN_FORM.test(token) ? await findShared(deps.db, hashOf(token)) : undefined
  return shared && readImage(deps, shared.key.accountId, shared.key.id, size)
}
