// A key that does something by itself would do it while somebody dictates or types elsewhere: it can
// be turned off, and never counts where text is written.
import { tryStore, type KeyValueStore } from './browser-storage'

export type Shortcut = { readonly keys: readonly string[]; readonly does: string }

export const shortcuts: readonly Shortcut[] = [
  { keys: ['Ctrl or ⌘', 'Enter'], does: 'Generate, as the button says' },
  { keys: ['Enter'], does: 'A new line in the prompt. It buys nothing.' },
  { keys: ['/'], does: 'Go to the prompt' },
  { keys: ['?'], does: 'This list' },
  { keys: ['Esc'], does: 'Close what is open' },
]

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
