import { z } from 'zod'
import type { AccountId } from '@/lib/domain/ids'
import type { Database } from './database'

export type ReferenceImageRow = {
  readonly sha256: string
  readonly contentType: 'image/png' | 'image/jpeg' | 'image/webp'
  readonly sizeBytes: number
}

const Kept = z.object({ outcome: z.enum(['kept', 'present', 'full', 'no_account']) })

/** `full`: the account has as many as it may have. */
export async function keepReferenceImage(
  db: Database,
  accountId: AccountId,
  image: ReferenceImageRow,
  rowsMax: number,
): Promise<z.infer<typeof Kept>['outcome']> {
  const { rows } = await db.pool.query(
    'select keep_reference_image($1, $2, $3, $4, $5) as outcome',
    [accountId, Buffer.from(image.sha256, 'hex'), image.contentType, image.sizeBytes, rowsMax],
  )
  return Kept.parse(rows[0]).outcome
}

const Row = z
  .object({
    sha256: z.instanceof(Uint8Array),
    contentType: z.enum(['image/png', 'image/jpeg', 'image/webp']),
    sizeBytes: z.int(),
  })
  .transform((row) => ({ ...row, sha256: Buffer.from(row.sha256).toString('hex') }))

/** Those of them that the account has. */
export async function findReferenceImages(
  db: Database,
  accountId: AccountId,
  digests: readonly string[],
): Promise<readonly ReferenceImageRow[]> {
  const rows = await db.prisma.referenceImage.findMany({
    where: { accountId, sha256: { in: digests.map((hex) => Buffer.from(hex, 'hex')) } },
    select: { sha256: true, contentType: true, sizeBytes: true },
  })
  return rows.map((row) => Row.parse(row))
}
