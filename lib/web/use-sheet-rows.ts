'use client'

import { defaultRangeExtractor, useWindowVirtualizer, type Range } from '@tanstack/react-virtual'
import { useCallback, useEffect, useState, type RefObject } from 'react'

/** A grid as the browser laid it out: lengths in CSS pixels. */
type Layout = {
  readonly columns: number
  readonly columnWidth: number
  readonly gap: number
  /** From the top of the document. */
  readonly top: number
}

/** A stretch of the grid: frames from `from` up to `to`, or a space as high as the rows left out. */
export type SheetPart =
  | { readonly kind: 'frames'; readonly from: number; readonly to: number }
  | { readonly kind: 'space'; readonly key: string; readonly height: number }

type Row = { readonly index: number; readonly start: number; readonly end: number }

/**
 * The rows drawn, and between them spaces that keep every row where it would be if all were drawn.
 * `start` and `end` are in pixels from the first row's top, as is `total`; rows come in order.
 */
export function sheetParts(
  rows: readonly Row[],
  { columns, gap, count, total }: { columns: number; gap: number; count: number; total: number },
): readonly SheetPart[] {
  const parts: SheetPart[] = []
  let drawnTo = -1
  let end = -gap
  for (const row of rows) {
    if (row.index > drawnTo + 1) {
      parts.push({ kind: 'space', key: `above-${row.index}`, height: row.start - end - 2 * gap })
    }
    const from = row.index * columns
    parts.push({ kind: 'frames', from, to: Math.min(from + columns, count) })
    drawnTo = row.index
    end = row.end
  }
  const isAllDrawn = (drawnTo + 1) * columns >= count
  if (!isAllDrawn) parts.push({ kind: 'space', key: 'below', height: total - end - gap })
  return parts
}

/**
 * Draws of a long grid only the rows near the window, and the one that has the focus. Until the
 * browser has laid it out, and so on the server too, all of it is drawn.
 */
export function useSheetRows(
  grid: RefObject<HTMLElement | null>,
  {
    count,
    captionHeight,
    focused,
  }: {
    count: number
    /** Below a square picture, as far as it is known before it is measured. Pixels. */
    captionHeight: number
    /** Index of the frame that must stay although it may be far from the window. */
    focused: number | undefined
  },
) {
  const layout = useLayout(grid)
  const { columns = 1, columnWidth = 0, gap = 0, top = 0 } = layout ?? {}
  const pinned = focused === undefined ? undefined : Math.floor(focused / columns)
  const rangeExtractor = useCallback(
    (range: Range) => {
      const near = defaultRangeExtractor(range)
      if (pinned === undefined || pinned >= range.count || near.includes(pinned)) return near
      return [...near, pinned].sort((a, b) => a - b)
    },
    [pinned],
  )
  const virtualizer = useWindowVirtualizer<HTMLLIElement>({
    enabled: layout !== undefined,
    count: Math.ceil(count / columns),
    estimateSize: () => columnWidth + captionHeight,
    // A row of another width has another height.
    getItemKey: (row) => `${columns}:${columnWidth}:${captionHeight}:${row}`,
    gap,
    scrollMargin: top,
    overscan: 4,
    rangeExtractor,
  })
  const rows = virtualizer
    .getVirtualItems()
    .map(({ index, start, end }) => ({ index, start: start - top, end: end - top }))
  const parts: readonly SheetPart[] =
    layout && rows.length > 0
      ? sheetParts(rows, { columns, gap, count, total: virtualizer.getTotalSize() })
      : [{ kind: 'frames', from: 0, to: count }]
  return {
    parts,
    columns,
    /** For the first frame of each row, with the row's number as its `data-index`. */
    measure: virtualizer.measureElement,
  }
}

/** Follows what the browser makes of the grid. Undefined until it did. */
function useLayout(grid: RefObject<HTMLElement | null>): Layout | undefined {
  const [layout, setLayout] = useState<Layout>()
  useEffect(() => {
    const element = grid.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      const next = layoutOf(element)
      setLayout((now) => (now && isSame(now, next) ? now : next))
    })
    // What stands above the grid moves it without changing its size.
    for (const each of [element, document.body]) observer.observe(each)
    return () => observer.disconnect()
  }, [grid])
  return layout
}

function layoutOf(element: HTMLElement): Layout {
  const { gridTemplateColumns, rowGap } = getComputedStyle(element)
  const widths = gridTemplateColumns.split(' ')
  return {
    columns: widths.length,
    columnWidth: Math.round(Number.parseFloat(widths[0] ?? '0')),
    gap: Number.parseFloat(rowGap) || 0,
    top: Math.round(element.getBoundingClientRect().top + window.scrollY),
  }
}

const isSame = (one: Layout, other: Layout): boolean =>
  one.columns === other.columns &&
  one.columnWidth === other.columnWidth &&
  one.gap === other.gap &&
  one.top === other.top
