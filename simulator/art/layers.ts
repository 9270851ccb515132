/** A silhouette: for each column of pixels, the height at which it begins. */
export type Silhouette = { readonly crest: Float32Array }

export type Place = { readonly column: number; readonly y: number; readonly pixel: number }

/**
 * Where painting has to begin, from far to near: the nearest silhouette that hides all behind it, or
 * -1 when the sky can be seen. What nobody sees is most of the work.
 */
export function firstVisible(layers: readonly Silhouette[], place: Place): number {
  for (let index = layers.length - 1; index >= 0; index -= 1) {
    if (place.y - (layers[index]?.crest[place.column] ?? 0) > place.pixel) return index
  }
  return -1
}
