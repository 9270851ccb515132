import type { ImageStore } from '@/lib/storage/image-store'
import type { Trace } from './trace'

/** The image store, with a span around what is put there and read back for an attempt. */
export function tracedImages(images: ImageStore, trace: Trace): ImageStore {
  return {
    put: (key, bytes) => trace.within('images.put', {}, () => images.put(key, bytes)),
    get: (key) => trace.within('images.get', {}, () => images.get(key)),
    remove: (key) => images.remove(key),
    check: () => images.check(),
    list: () => images.list(),
  }
}
