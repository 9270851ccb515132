import type { AttemptStateName } from './attempt'

// What may be asked of an account's pictures. Every part of it is in the page's address.

export const galleryShows = [
  'all',
  'delivered',
  'in-progress',
  'unresolved',
  'failed',
  'favourites',
] as const
export type GalleryShow = (typeof galleryShows)[number]

export type GalleryQuery = {
  readonly show: GalleryShow
  /** Words that the prompt contains, in whatever order and case. */
  readonly search: string
  readonly order: 'newest' | 'oldest'
}

export const EVERYTHING: GalleryQuery = { show: 'all', search: '', order: 'newest' }

/** The states behind each choice; undefined where the state does not matter. */
export const statesShown: Record<GalleryShow, readonly AttemptStateName[] | undefined> = {
  all: undefined,
  delivered: ['completed'],
  'in-progress': ['initializing', 'submitting', 'pending', 'delivering', 'storage_failed'],
  unresolved: ['status_unknown'],
  failed: ['failed'],
  favourites: undefined,
}

const SEARCH_WORDS_MAX = 8
export const SEARCH_LENGTH_MAX = 200

/** Each word of a search as a LIKE pattern. What LIKE has a meaning for is taken as it was typed. */
export function searchPatterns(search: string): readonly string[] {
  const words = search.normalize('NFC').trim().split(/\s+/u).filter(Boolean)
  return words.slice(0, SEARCH_WORDS_MAX).map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)
}

/** Pictures that one act of their owner may take together, and one download. */
export const PICTURES_AT_ONCE_MAX = 100
/** What one download may weigh: what a browser takes in minutes, not hours. */
export const DOWNLOAD_BYTES_MAX = 512 * 1024 * 1024
