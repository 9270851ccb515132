/** The chosen pictures, and the one from which a range reaches. */
export type Selection = {
  readonly ids: ReadonlySet<string>
  readonly anchor: string | undefined
}

export const NOTHING_SELECTED: Selection = { ids: new Set(), anchor: undefined }

export function toggled({ ids }: Selection, id: string): Selection {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return { ids: next, anchor: id }
}

/** With everything between the last one chosen and this one, both ways, in the order on screen. */
export function extended(
  selection: Selection,
  id: string,
  selectable: readonly string[],
): Selection {
  const to = selectable.indexOf(id)
  const from = selection.anchor === undefined ? -1 : selectable.indexOf(selection.anchor)
  if (from < 0 || to < 0) return toggled(selection, id)
  const range = selectable.slice(Math.min(from, to), Math.max(from, to) + 1)
  return { ids: new Set([...selection.ids, ...range]), anchor: selection.anchor }
}

/** Without what is not there any more. */
export function without({ ids, anchor }: Selection, gone: ReadonlySet<string>): Selection {
  return {
    ids: new Set([...ids].filter((id) => !gone.has(id))),
    anchor: anchor !== undefined && gone.has(anchor) ? undefined : anchor,
  }
}

/** Where a key leads in a grid of so many columns; undefined for keys that lead nowhere. */
export function gridMove(
  key: string,
  { index, count, columns }: { index: number; count: number; columns: number },
): number | undefined {
  const target = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index - columns,
    ArrowDown: index + columns,
    Home: 0,
    End: count - 1,
  }[key]
  return target !== undefined && target >= 0 && target < count && target !== index
    ? target
    : undefined
}
