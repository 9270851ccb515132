import {
  EVERYTHING,
  galleryShows,
  SEARCH_LENGTH_MAX,
  type GalleryQuery,
} from '@/lib/domain/gallery'

type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>

const only = (value: Parameters[string]) => (typeof value === 'string' ? value : undefined)

/** What an address asks for. Whatever it does not say in words of ours, it asks for everything. */
export function galleryQueryOf(parameters: Parameters): GalleryQuery {
  const show = galleryShows.find((name) => name === only(parameters['show']))
  return {
    show: show ?? EVERYTHING.show,
    search: (only(parameters['q']) ?? '').slice(0, SEARCH_LENGTH_MAX).toWellFormed().trim(),
    order: only(parameters['order']) === 'oldest' ? 'oldest' : 'newest',
  }
}

/** The parameters of a query, and none for what is so anyway: one view has one address. */
export function galleryParameters({ show, search, order }: GalleryQuery): string {
  const parameters = new URLSearchParams()
  if (show !== EVERYTHING.show) parameters.set('show', show)
  if (search !== '') parameters.set('q', search)
  if (order !== EVERYTHING.order) parameters.set('order', order)
  return parameters.toString()
}

export function galleryAddress(query: GalleryQuery): string {
  const parameters = galleryParameters(query)
  return parameters === '' ? '/images' : `/images?${parameters}`
}
