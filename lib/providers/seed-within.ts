/**
 * A seed for a provider whose seeds end before ours do: the remainder, so that the same seed always
 * makes the same picture.
 */
export function seedWithin(seed: number, max: number): number {
  return seed % (max + 1)
}
