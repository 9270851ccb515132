// What a spreadsheet takes for the start of a formula, also in its wide form, and what it passes over
// before one.
const FORMULA = /^[\s\p{Cc}]*[=+\-@＝＋－＠]/u

/** One cell of RFC 4180. A text that a spreadsheet would compute is marked as text. */
export function csvCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) || text !== value ? `"${text.replaceAll('"', '""')}"` : text
}

export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}
