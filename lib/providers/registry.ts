import { ideogram } from './ideogram/kind'
import type { ProviderKind } from './provider-kind'
import { replicate } from './replicate/kind'
import { runware } from './runware/kind'
import { simulator } from './simulator/kind'

/** Every provider there is. Adding one is a folder and a line, and its models' prices. */
export const providerKinds: readonly ProviderKind[] = [ideogram, replicate, runware, simulator]
