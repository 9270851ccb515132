'use client'

import {
  useEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
} from 'react'
import { cn } from '@/lib/web/class-names'
import type { Density } from '@/lib/web/density'
import { gridMove } from '@/lib/web/selection'
import { useSheetRows } from '@/lib/web/use-sheet-rows'
import type { PictureView } from '@/lib/web/views'
import { ContactSheetFrame } from './contact-sheet-frame'

export type ContactSheetProps = {
  readonly pictures: readonly PictureView[]
  /** There are more pictures than these. */
  readonly hasMore: boolean
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
/** Of a delivered picture, in CSS pixels. */
const CAPTION_HEIGHT: Record<Density, number> = { large: 54, small: 0 }

/**
 * All frames of a film on one sheet, of which only those near the window are drawn. Keys go from
 * frame to frame and act on the one that has them.
 */
export function ContactSheet(props: ContactSheetProps) {
  const { pictures, density, selected, onSelect, onFavourite, onDelete, onEscape } = props
  const sheet = useRef<HTMLOListElement>(null)
  const focus = useFrameFocus(sheet)
  const count = pictures.length
  const focused = pictures.findIndex(({ attempt }) => attempt.id === focus.id)
  const { parts, columns, measure } = useSheetRows(sheet, {
    count,
    captionHeight: CAPTION_HEIGHT[density],
    focused: focused < 0 ? undefined : focused,
  })

  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey, target } = event
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const id = target instanceof HTMLElement ? target.dataset['frame'] : undefined
    const index = pictures.findIndex(({ attempt }) => attempt.id === id)
    const picture = pictures[index]
    if (id === undefined || !picture) return
    const to = pictures[gridMove(key, { index, count, columns }) ?? -1]
    if (to) {
      focus.moveTo(to.attempt.id)
      if (shiftKey && selected) {
        if (selected.size === 0) onSelect(id, false)
        onSelect(to.attempt.id, true)
      }
    } else if (key === 'x') onSelect(id, shiftKey)
    else if (key === 'f') onFavourite(id, !picture.favourite)
    else if (key === 'Delete') onDelete(id)
    else if (key === 'Escape') onEscape()
    else return
    event.preventDefault()
  }

  const frameAt = (index: number) => {
    const picture = pictures[index]
    if (!picture) return null
    const { attempt, favourite } = picture
    return (
      <ContactSheetFrame
        key={attempt.id}
        measure={index % columns === 0 ? measure : undefined}
        row={Math.floor(index / columns)}
        position={index + 1}
        setSize={props.hasMore ? -1 : count}
        attempt={attempt}
        density={density}
        isPriority={index < 8}
        isFavourite={favourite}
        isSelected={selected?.has(attempt.id)}
        onSelect={onSelect}
        onFavourite={onFavourite}
      />
    )
  }

  return (
    <div className="overflow-hidden rounded-md bg-film-edge p-2 sm:p-3">
      <div aria-hidden="true" className="mb-2 h-1.5 perforated sm:mb-3" />
      <ol
        ref={sheet}
        onKeyDown={onKeyDown}
        onFocus={focus.onFocus}
        onBlur={focus.onBlur}
        className={cn('grid gap-1.5 sm:gap-2', COLUMNS[density])}
      >
        {parts.flatMap((part) =>
          part.kind === 'space'
            ? [
                <li
                  key={part.key}
                  aria-hidden="true"
                  className="col-span-full"
                  style={{ height: part.height }}
                />,
              ]
            : Array.from({ length: part.to - part.from }, (_, at) => frameAt(part.from + at)),
        )}
      </ol>
      <div aria-hidden="true" className="mt-2 h-1.5 perforated sm:mt-3" />
    </div>
  )
}

/** Which frame has the focus. One that is not drawn gets it as soon as it is. */
function useFrameFocus(sheet: RefObject<HTMLElement | null>) {
  const [id, setId] = useState<string>()
  const wanted = useRef<string>(undefined)
  const take = (wish: string) => {
    const frame = sheet.current?.querySelector<HTMLElement>(`[data-frame="${CSS.escape(wish)}"]`)
    frame?.focus()
    return frame !== null && frame !== undefined
  }
  useEffect(() => {
    if (wanted.current !== undefined && take(wanted.current)) wanted.current = undefined
  })
  return {
    id,
    moveTo: (to: string) => {
      if (take(to)) return
      wanted.current = to
      setId(to)
    },
    onFocus: ({ target }: FocusEvent) =>
      setId(target.closest<HTMLElement>('[data-attempt-id]')?.dataset['attemptId']),
    onBlur: ({ relatedTarget }: FocusEvent) => {
      if (wanted.current === undefined && !sheet.current?.contains(relatedTarget)) setId(undefined)
    },
  }
}
