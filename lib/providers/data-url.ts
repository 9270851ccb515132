import type { ReferenceImage } from '@/lib/domain/provider'

/** An image within an address (RFC 2397). */
export function dataUrlOf({ contentType, bytes }: ReferenceImage): string {
  return `data:${contentType};base64,${bytes.toString('base64')}`
}
