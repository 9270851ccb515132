import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

// Fonts and pictures are compressed already.
const COMPRESSIBLE = ['.css', '.js', '.json', '.svg', '.txt']
const SMALLEST = {
  params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
}
const FILES_AT_ONCE = 8

/**
 * Writes each file of a folder beside itself as `.br` and `.gz`, as small as they can be: once when
 * they are built, rather than a little at each request.
 */
export async function compressFiles(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true })
  const files = names.filter((name) => COMPRESSIBLE.includes(extname(name)))
  const compressNext = async (): Promise<void> => {
    for (let name = files.pop(); name !== undefined; name = files.pop()) {
      const path = join(folder, name)
      const bytes = await readFile(path)
      await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, SMALLEST))
      await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
    }
  }
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, compressNext))
}
