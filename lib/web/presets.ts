import { isRecord, parseJson, tryStore, type KeyValueStore } from './browser-storage'
import { parseDraft, type Draft } from './draft'

export const PRESETS_MAX = 20
export const PRESET_NAME_MAX = 40

/** What stays the same from picture to picture: everything but the prompt, its seed and its images. */
export type PresetSettings = Pick<
  Draft,
  'model' | 'width' | 'height' | 'quality' | 'negativePrompt' | 'images'
>
export type Preset = { readonly name: string; readonly settings: PresetSettings }

export function settingsToKeep(draft: Draft): PresetSettings {
  const { model, width, height, quality, negativePrompt, images } = draft
  return { model, width, height, quality, negativePrompt, images }
}

export type PresetStore = {
  /** By name. */
  read(): readonly Preset[]
  /** Kept under its name, in place of the one that had it. Says why it was not. */
  keep(preset: Preset): 'kept' | 'full' | 'not-stored'
  remove(name: string): void
}

/** An account's presets in this browser. Losing them loses no money. */
export function createPresetStore(
  store: KeyValueStore | undefined,
  accountId: string,
): PresetStore {
  const key = `darkroom.presets.${accountId}`
  const read = () => parsePresets(parseJson(store?.getItem(key) ?? ''))
  const write = (presets: readonly Preset[]) => tryStore(store, key, JSON.stringify(presets))
  return {
    read,
    keep: (preset) => {
      const others = read().filter(({ name }) => name !== preset.name)
      if (others.length >= PRESETS_MAX) return 'full'
      const sorted = [...others, preset].sort((a, b) => a.name.localeCompare(b.name))
      return write(sorted) ? 'kept' : 'not-stored'
    },
    remove: (gone) => void write(read().filter(({ name }) => name !== gone)),
  }
}

/** What an older page kept, or a hand changed, is passed over where it is no preset. */
function parsePresets(value: unknown): readonly Preset[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((each: unknown) => {
    if (!isRecord(each) || typeof each['name'] !== 'string' || !isRecord(each['settings']))
      return []
    const draft = parseDraft({ ...each['settings'], prompt: '' })
    const name = each['name'].trim().slice(0, PRESET_NAME_MAX)
    return draft && name !== '' ? [{ name, settings: settingsToKeep(draft) }] : []
  })
}
