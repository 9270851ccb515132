// A key that does something by itself would do it while somebody dictates or types elsewhere: it can
// be turned off, and never counts where text is written.
import { tryStore, type KeyValueStore } from './browser-storage'

/** `ctrl` is called otherwise in other languages; the other keys are as they are printed. */
export const shortcuts = [
  { keys: ['ctrl', 'Enter'], does: 'generate' },
  { keys: ['Enter'], does: 'newLine' },
  { keys: ['/'], does: 'prompt' },
  { keys: ['?'], does: 'list' },
  { keys: ['Esc'], does: 'close' },
] as const

export type ShortcutAct = 'list' | 'prompt'

type Stroke = {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly repeat: boolean
  readonly isComposing: boolean
  /** The key was pressed where text is written, or in something that is open. */
  readonly isElsewhere: boolean
}

/** What a single key does, or undefined. */
export function shortcutOf(stroke: Stroke): ShortcutAct | undefined {
  if (stroke.isElsewhere || stroke.repeat || stroke.isComposing) return undefined
  if (stroke.ctrlKey || stroke.metaKey || stroke.altKey) return undefined
  if (stroke.key === '?') return 'list'
  return stroke.key === '/' ? 'prompt' : undefined
}

const OFF_KEY = 'darkroom.single-keys'

export const usesSingleKeys = (store: KeyValueStore | undefined): boolean =>
  store?.getItem(OFF_KEY) !== 'off'

export function keepSingleKeys(store: KeyValueStore | undefined, isOn: boolean): void {
  tryStore(store, OFF_KEY, isOn ? 'on' : 'off')
}
