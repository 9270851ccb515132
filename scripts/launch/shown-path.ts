import { isAbsolute, relative } from 'node:path'

/** As short as it can be typed from here. */
export function shownPath(path: string): string {
  const short = relative(process.cwd(), path)
  return short.startsWith('..') || isAbsolute(short) ? path : short
}
