import { makeZip } from 'client-zip'
import { findAttempts } from '@/lib/db/attempt-reader'
import type { AttemptRow } from '@/lib/db/attempt-row'
import { pictureFileName } from '@/lib/domain/file-name'
import { DOWNLOAD_BYTES_MAX, PICTURES_AT_ONCE_MAX } from '@/lib/domain/gallery'
import { AttemptId, type AccountId } from '@/lib/domain/ids'
import { ok, refuse, type Result } from '@/lib/domain/result'
import type { Deps } from './deps'
import { readImage } from './read-attempts'

export type PackRefusal = {
  readonly code: 'too-many' | 'too-large' | 'nothing'
  readonly message: string
}

const megabytes = (bytes: number) => Math.ceil(bytes / 1_048_576)

/**
 * The account's pictures among these as one zip, read and sent one after the other. A picture that
 * cannot be read is named in a note inside: the archive never passes for more than it holds.
 */
export async function packPictures(
  deps: Deps,
  accountId: AccountId,
  ids: readonly string[],
  bytesMax = DOWNLOAD_BYTES_MAX,
): Promise<Result<ReadableStream<Uint8Array>, PackRefusal>> {
  const wanted = [...new Set(ids.flatMap((id) => AttemptId.safeParse(id).data ?? []))]
  if (wanted.length > PICTURES_AT_ONCE_MAX) {
    const message = `Download at most ${PICTURES_AT_ONCE_MAX} pictures at a time.`
    return refuse({ code: 'too-many', message })
  }
  const rows = (await findAttempts(deps.db, accountId, wanted)).filter(
    ({ state, artwork }) => state === 'completed' && artwork && !artwork.deletedAt,
  )
  if (rows.length === 0) {
    return refuse({ code: 'nothing', message: 'There is no picture of yours among these.' })
  }
  const bytes = rows.reduce((sum, { artwork }) => sum + (artwork?.sizeBytes ?? 0), 0)
  if (bytes > bytesMax) {
    const message = `These pictures have ${megabytes(bytes)} MB together. Download at most ${megabytes(bytesMax)} MB at a time.`
    return refuse({ code: 'too-large', message })
  }
  return ok(makeZip(entries(deps, accountId, rows)))
}

async function* entries(deps: Deps, accountId: AccountId, rows: readonly AttemptRow[]) {
  const missing: string[] = []
  for (const { id, prompt, artwork, createdAt } of rows) {
    const name = pictureFileName({ prompt, id, contentType: artwork?.contentType ?? '' })
    const image = await readImage(deps, accountId, id)
    if (image) yield { name, input: new Uint8Array(image.bytes), lastModified: createdAt }
    else missing.push(name)
  }
  if (missing.length > 0) {
    const input = `These could not be read, and are not in this archive:\r\n${missing.join('\r\n')}\r\n`
    yield { name: 'not-included.txt', input, lastModified: new Date() }
  }
}
