import { z } from 'zod'
import { copyImages } from '@/lib/storage/copy-images'
import { IMAGE_STORES } from '@/lib/storage/open-image-stores'
import { CliError, UsageError } from './cli-error'
import { command } from './command'

const Store = z.enum(IMAGE_STORES, `expected ${IMAGE_STORES.join(' or ')}`)

const copy = command({
  words: ['images', 'copy'],
  usage: 'images copy --from files|s3 --to files|s3   (also while serving; again, it compares)',
  input: z.strictObject({ from: Store, to: Store }),
  run: async ({ imageStores }, { from, to }) => {
    if (from === to) throw new UsageError('--to: expected another store than --from')
    const [source, target] = [imageStores[from], imageStores[to]]
    if (!source || !target) throw new CliError('Nothing is known of s3: set S3_BUCKET.')
    const output = await copyImages(source, target)
    return { output, ok: output.conflicts.length === 0 }
  },
})

export const imageCommands = [copy] as const
