import { v4 as newId } from 'uuid'
import { browserStorage, tryStore, type KeyValueStore } from './browser-storage'

type Asked = Readonly<Record<string, string | number>> & { readonly act: string }

/** What an act is and what it is about; not why, nor how much. */
const keyOf = (asked: Asked) =>
  [
    'darkroom:admin-press',
    asked.act,
    asked['attemptId'] ?? asked['requestId'] ?? asked['accountId'] ?? asked['provider'] ?? '',
  ].join(':')

const kept = new Map<string, string>()

/**
 * The id of a press, the same until its answer is known, also after the page was loaded again. So a
 * press whose answer got lost is not done twice.
 */
export function pressIdOf(
  asked: Asked,
  store: KeyValueStore | undefined = browserStorage(),
): string {
  const key = keyOf(asked)
  const id = kept.get(key) ?? store?.getItem(key) ?? newId()
  kept.set(key, id)
  tryStore(store, key, id)
  return id
}

/** Its answer is known: the next press is another. */
export function forgetPress(
  asked: Asked,
  store: KeyValueStore | undefined = browserStorage(),
): void {
  kept.delete(keyOf(asked))
  store?.removeItem(keyOf(asked))
}
