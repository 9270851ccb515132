import { browserStorage, type KeyValueStore } from './browser-storage'
import { forgetAccount } from './darkroom-client'

/** Takes everything out of this browser that belongs to the account: drafts, and what was not sent yet. */
export function forgetAllOf(
  accountId: string,
  store: KeyValueStore | undefined = browserStorage(),
): void {
  if (!store) return
  const keys = Array.from({ length: store.length }, (_, index) => store.key(index))
  for (const key of keys) {
    if (key?.includes(accountId)) store.removeItem(key)
  }
  forgetAccount()
}
