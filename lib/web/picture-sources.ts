import { THUMBNAIL_SIDE_PX, VIEW_SIDE_PX, type CopySize } from '@/lib/domain/delivery'
import type { ArtworkView } from './views'

/** How long the sides of its square frame are, in CSS lengths, from 40rem of window on and below. */
export type FrameSide = { readonly wide: string; readonly narrow: string }

export type PictureSources = {
  readonly src: string
  readonly srcSet?: string
  readonly sizes?: string
}

type Picture = Pick<ArtworkView, 'url' | 'width' | 'height'>

/** The copy of a picture that pages show. What is small is shown as it is. */
export function viewUrl({ url, width, height }: Picture): string {
  return Math.max(width, height) <= THUMBNAIL_SIDE_PX ? url : copyUrl(url, 'view')
}

/** Lets the browser take the small copy where it is large enough for the frame and its screen. */
export function pictureSources(picture: Picture, frame: FrameSide | undefined): PictureSources {
  const { url, width, height } = picture
  const longest = Math.max(width, height)
  const src = viewUrl(picture)
  if (!frame || longest <= THUMBNAIL_SIDE_PX) return { src }
  const small = `${copyUrl(url, 'thumb')} ${Math.round((width * THUMBNAIL_SIDE_PX) / longest)}w`
  const large = `${src} ${Math.round((width * Math.min(VIEW_SIDE_PX, longest)) / longest)}w`
  // A picture that stands upright fills its frame's height and less of its width.
  const part = Math.round((width / longest) * 1_000) / 1_000
  return {
    src,
    srcSet: `${small}, ${large}`,
    sizes: `(min-width: 40rem) calc(${frame.wide} * ${part}), calc(${frame.narrow} * ${part})`,
  }
}

const copyUrl = (url: string, size: CopySize) =>
  `${url}${url.includes('?') ? '&' : '?'}size=${size}`
