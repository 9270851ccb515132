import { createHash } from 'node:crypto'

/**
 * The task's UUID at Runware, from our reference and nothing else, so that a lost task can be looked
 * for. Runware asks for a UUID of version 4 (https://runware.ai/docs/platform/introduction) and our
 * attempts have version 7, so the bits are those of a hash with version and variant set as RFC 9562
 * wants them: as unlikely to meet another one as a random UUID is.
 */
export function taskUuidOf(reference: string): string {
  const hex = createHash('sha256').update(`darkroom:runware:${reference}`).digest('hex')
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) % 4)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
