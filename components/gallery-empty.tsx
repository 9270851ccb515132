import Link from 'next/link'
import { EVERYTHING, type GalleryQuery, type GalleryShow } from '@/lib/domain/gallery'
import { galleryAddress } from '@/lib/web/gallery-address'
import { EmptyState } from './empty-state'
import { buttonVariants } from './ui/button-variants'

const WORDS: Record<GalleryShow, { readonly title: string; readonly text: string }> = {
  all: {
    title: 'An empty sheet',
    text: 'Every picture you generate is kept here, with everything it was made from.',
  },
  delivered: { title: 'No pictures yet', text: 'What is delivered is kept here.' },
  'in-progress': { title: 'Nothing is under way', text: 'What you generate now shows up here.' },
  unresolved: {
    title: 'Nothing is unresolved',
    text: 'Whenever we do not know what became of a picture, it waits here until we found out.',
  },
  failed: { title: 'Nothing failed', text: 'What failed is listed here, and was not charged.' },
  favourites: { title: 'No favourites yet', text: 'Mark a picture with the star to find it here.' },
}

/** Why there is nothing to see, and where to go. */
export function GalleryEmpty({ query }: { readonly query: GalleryQuery }) {
  const isSearch = query.search !== ''
  const { title, text } = isSearch
    ? { title: 'Nothing found', text: `No prompt here has all of “${query.search}” in it.` }
    : WORDS[query.show]
  const isEverything = !isSearch && query.show === 'all'
  return (
    <EmptyState
      title={title}
      action={
        <Link
          href={isEverything ? '/studio' : galleryAddress(EVERYTHING)}
          className={buttonVariants({ variant: isEverything ? 'primary' : 'outline' })}
        >
          {isEverything ? 'Go to the studio' : 'Show all images'}
        </Link>
      }
    >
      {text}
    </EmptyState>
  )
}
