'use client'

import { useRef, type KeyboardEvent } from 'react'
import { cn } from '@/lib/web/class-names'
import type { Density } from '@/lib/web/density'
import { gridMove } from '@/lib/web/selection'
import type { PictureView } from '@/lib/web/views'
import { ContactSheetFrame } from './contact-sheet-frame'

export type ContactSheetProps = {
  readonly pictures: readonly PictureView[]
  readonly density: Density
  /** Undefined outside of choosing. */
  readonly selected: ReadonlySet<string> | undefined
  readonly onSelect: (id: string, isRange: boolean) => void
  readonly onFavourite: (id: string, isOn: boolean) => void
  readonly onDelete: (id: string) => void
  readonly onEscape: () => void
}

const COLUMNS: Record<Density, string> = {
  large: 'grid-cols-2 sm:grid-cols-[repeat(auto-fill,minmax(12.5rem,1fr))]',
  small: 'grid-cols-3 sm:grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))]',
}

/** All frames of a film on one sheet. Keys go from frame to frame and act on the one that has them. */
export function ContactSheet(props: ContactSheetProps) {
  const { pictures, density, selected, onSelect, onFavourite, onDelete, onEscape } = props
  const sheet = useRef<HTMLOListElement>(null)

  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey, target } = event
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const id = target instanceof HTMLElement ? target.dataset['frame'] : undefined
    const picture = pictures.find(({ attempt }) => attempt.id === id)
    if (id === undefined || !picture) return
    const frames = [...(sheet.current?.querySelectorAll<HTMLElement>('[data-frame]') ?? [])]
    const index = frames.findIndex((frame) => frame === target)
    const move = gridMove(key, { index, count: frames.length, columns: columnsOf(frames) })
    if (move !== undefined) {
      const to = frames[move]
      to?.focus()
      if (shiftKey && selected && to?.dataset['frame']) {
        if (selected.size === 0) onSelect(id, false)
        onSelect(to.dataset['frame'], true)
      }
    } else if (key === 'x') onSelect(id, shiftKey)
    else if (key === 'f') onFavourite(id, !picture.favourite)
    else if (key === 'Delete') onDelete(id)
    else if (key === 'Escape') onEscape()
    else return
    event.preventDefault()
  }

  return (
    <div className="overflow-hidden rounded-md bg-film-edge p-2 sm:p-3">
      <div aria-hidden="true" className="mb-2 h-1.5 perforated sm:mb-3" />
      <ol
        ref={sheet}
        onKeyDown={onKeyDown}
        className={cn('grid gap-1.5 sm:gap-2', COLUMNS[density])}
      >
        {pictures.map(({ attempt, favourite }, index) => (
          <ContactSheetFrame
            key={attempt.id}
            attempt={attempt}
            density={density}
            isPriority={index < 8}
            isFavourite={favourite}
            isSelected={selected?.has(attempt.id)}
            onSelect={onSelect}
            onFavourite={onFavourite}
          />
        ))}
      </ol>
      <div aria-hidden="true" className="mt-2 h-1.5 perforated sm:mt-3" />
    </div>
  )
}

/** As many as stand beside the first: the browser decides, so it is asked. */
function columnsOf(frames: readonly HTMLElement[]): number {
  const top = frames[0]?.getBoundingClientRect().top
  const below = frames.findIndex((frame) => frame.getBoundingClientRect().top !== top)
  return below < 0 ? Math.max(frames.length, 1) : below
}
