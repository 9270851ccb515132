'use client'

import { useTranslations } from 'next-intl'
import { useState, type ReactNode } from 'react'
import type { GalleryQuery } from '@/lib/domain/gallery'
import { rememberDensity, type Density } from '@/lib/web/density'
import { galleryParameters } from '@/lib/web/gallery-address'
import { useMorePictures } from '@/lib/web/more-pictures'
import { extended, NOTHING_SELECTED, toggled } from '@/lib/web/selection'
import { usePictureActs } from '@/lib/web/use-picture-acts'
import { useAttempts, useLivePictures } from '@/lib/web/use-darkroom'
import type { AttemptView, Page, PictureView } from '@/lib/web/views'
import { deletePicturesAction, setFavouritesAction } from '@/app/(app)/images/actions'
import { ContactSheet } from './contact-sheet'
import { DeleteDialog } from './delete-dialog'
import { GalleryToolbar } from './gallery-toolbar'
import { LoadMore } from './load-more'
import { SelectionBar } from './selection-bar'

type GalleryProps = {
  readonly first: Page<PictureView>
  readonly query: GalleryQuery
  readonly density: Density
  /** In place of the sheet, when there is nothing to show. */
  readonly empty: ReactNode
}

/** The account's pictures: as many as were scrolled to, and what can be done with them. */
export function Gallery({ first, query, density: rendered, empty }: GalleryProps) {
  const t = useTranslations('images')
  const [density, setDensity] = useState(rendered)
  const [selection, setSelection] = useState(NOTHING_SELECTED)
  const [isSelecting, setSelecting] = useState(false)
  const [toDelete, setToDelete] = useState<readonly string[]>([])
  const more = useMorePictures(galleryParameters(query), first.next_cursor)
  const acts = usePictureActs({
    deletePictures: deletePicturesAction,
    setFavourites: setFavouritesAction,
  })
  const started = useStarted(first, query)
  // What was under way when it was listed can be chosen as soon as it is delivered.
  const listed = useLivePictures(distinct([...started, ...first.data, ...more.pictures]))
  const pictures = acts.applied(listed)

  const selectable = pictures.filter(({ attempt }) => attempt.artwork)
  const selected = selectable.filter(({ attempt }) => selection.ids.has(attempt.id))
  const selectableIds: readonly string[] = selectable.map(({ attempt }) => attempt.id)

  const stop = () => {
    setSelecting(false)
    setSelection(NOTHING_SELECTED)
  }
  const select = (id: string, isRange: boolean) => {
    if (!selectableIds.includes(id)) return
    setSelecting(true)
    setSelection((now) => (isRange ? extended(now, id, selectableIds) : toggled(now, id)))
  }
  const askToDelete = (id: string) => {
    if (selected.length > 0) setToDelete(selected.map(({ attempt }) => attempt.id))
    else if (selectableIds.includes(id)) setToDelete([id])
  }
  const confirmDelete = async () => {
    if (await acts.remove(toDelete)) stop()
    setToDelete([])
  }

  if (pictures.length === 0 && !more.hasMore) return empty
  return (
    <>
      <GalleryToolbar
        query={query}
        density={density}
        isSelecting={isSelecting}
        onDensity={(next) => {
          setDensity(next)
          rememberDensity(next)
        }}
        onSelecting={(next) => (next ? setSelecting(true) : stop())}
      />
      <ContactSheet
        pictures={pictures}
        hasMore={more.hasMore}
        density={density}
        selected={isSelecting ? selection.ids : undefined}
        onSelect={select}
        onFavourite={(id, isOn) => void acts.favour([id], isOn)}
        onDelete={askToDelete}
        onEscape={stop}
      />
      <p className="mt-3 hidden text-xs text-muted lg:block">{t('keys')}</p>
      <LoadMore {...more} />
      {isSelecting && (
        <SelectionBar
          pictures={selected}
          onAll={() => setSelection({ ids: new Set(selectableIds), anchor: undefined })}
          onFavourite={(isOn) =>
            void acts.favour(
              selected.map(({ attempt }) => attempt.id),
              isOn,
            )
          }
          onDelete={() => setToDelete(selected.map(({ attempt }) => attempt.id))}
          onDone={stop}
        />
      )}
      {toDelete.length > 0 && (
        <DeleteDialog
          count={toDelete.length}
          isDeleting={acts.isDeleting}
          onConfirm={() => void confirmDelete()}
          onClose={() => setToDelete([])}
        />
      )}
    </>
  )
}

/** The list of everything, newest first, also shows what was started after it was made. */
function useStarted(first: Page<PictureView>, query: GalleryQuery): readonly PictureView[] {
  const { attempts } = useAttempts()
  const newest = first.data[0]?.attempt
  if (query.show !== 'all' || query.search !== '' || query.order !== 'newest') return []
  const isNew = ({ created_at, id }: AttemptView) =>
    !newest || (created_at > newest.created_at && id !== newest.id)
  return attempts.filter(isNew).map((attempt) => ({ attempt, favourite: false }))
}

/** Each once: a page that was read later may begin with what the one before ended with. */
function distinct(pictures: readonly PictureView[]): readonly PictureView[] {
  const later = new Map(pictures.map((picture) => [picture.attempt.id, picture]))
  return [...later.values()]
}
