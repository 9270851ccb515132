/** Where the bytes of artworks are kept. Keys are made by us, from the attempt. */
export type ImageStore = {
  /**
   * Keeps the bytes under the key so that they survive a power cut. The first object wins: a
   * second put of the same bytes does nothing, one of other bytes throws `ImageConflictError`.
   */
  put(key: string, bytes: Buffer): Promise<void>
  /** The whole object, or undefined when there is none. */
  get(key: string): Promise<Buffer | undefined>
  /** Afterwards there is no such object, also if there was none before. */
  remove(key: string): Promise<void>
  /** Throws when the store cannot be written. */
  check(): Promise<void>
  /** Every key, in no order. What is stored or removed meanwhile may be among them or not. */
  list(): AsyncIterable<string>
}

export class ImageConflictError extends Error {
  override readonly name = 'ImageConflictError'
}
