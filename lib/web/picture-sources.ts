import { THUMBNAIL_SIDE_PX } from '@/lib/domain/delivery'
import type { ArtworkView } from './views'

/** How long the sides of its square frame are, in CSS lengths, from 40rem of window on and below. */
export type FrameSide = { readonly wide: string; readonly narrow: string }

export type PictureSources = {
  readonly src: string
  readonly srcSet?: string
  readonly sizes?: string
}

/** Lets the browser take the small copy where it is large enough for the frame and its screen. */
export function pictureSources(
  { url, width, height }: Pick<ArtworkView, 'url' | 'width' | 'height'>,
  frame: FrameSide | undefined,
): PictureSources {
  const longest = Math.max(width, height)
  if (!frame || longest <= THUMBNAIL_SIDE_PX) return { src: url }
  const small = `${url}${url.includes('?') ? '&' : '?'}size=thumb`
  const smallWidth = Math.round((width * THUMBNAIL_SIDE_PX) / longest)
  // A picture that stands upright fills its frame's height and less of its width.
  const part = Math.round((width / longest) * 1_000) / 1_000
  return {
    src: url,
    srcSet: `${small} ${smallWidth}w, ${url} ${width}w`,
    sizes: `(min-width: 40rem) calc(${frame.wide} * ${part}), calc(${frame.narrow} * ${part})`,
  }
}
