import type { Messages } from 'next-intl'
import { message, type Message } from './message'

type KnownQuality = keyof Messages['studio']['qualities']

const QUALITIES: Readonly<Record<KnownQuality, true>> = {
  default: true,
  high: true,
  low: true,
  medium: true,
  quality: true,
  standard: true,
  turbo: true,
}

const isKnown = (quality: string): quality is KnownQuality => Object.hasOwn(QUALITIES, quality)

/** The name of a quality: its provider's own word where we have none. */
export function qualityWords(quality: string): Message {
  return isKnown(quality)
    ? message(`studio.qualities.${quality}`)
    : message('common.asWritten', { words: quality })
}
