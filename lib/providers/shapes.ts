import type { Size } from '@/lib/domain/model'

/** A size in pixels, and the aspect ratio that a provider is asked for to get it. */
export type Shape = Size & { readonly ratio: string }

export const sizesOf = (shapes: readonly Shape[]): readonly Size[] =>
  shapes.map(({ width, height }) => ({ width, height }))

/** Only offered sizes are asked for, so one of the shapes is right. */
export function ratioOf(shapes: readonly Shape[], size: Size): string {
  const shape = shapes.find(({ width, height }) => width === size.width && height === size.height)
  return shape?.ratio ?? '1:1'
}
