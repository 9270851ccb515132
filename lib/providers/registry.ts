import { bfl } from './bfl/kind'
import { comfyRouter } from './comfy-router/kind'
import { comfyUi } from './comfyui/kind'
import { compatible } from './compatible/kind'
import { fal } from './fal/kind'
import { gemini } from './gemini/kind'
import { ideogram } from './ideogram/kind'
import { openAi } from './openai/kind'
import type { ProviderKind } from './provider-kind'
import { replicate } from './replicate/kind'
import { runware } from './runware/kind'
import { simulator } from './simulator/kind'
import { stability } from './stability/kind'

/** Every provider there is. Adding one is a folder and a line, and its models' prices. */
export const providerKinds: readonly ProviderKind[] = [
  bfl,
  comfyRouter,
  comfyUi,
  compatible,
  fal,
  gemini,
  ideogram,
  openAi,
  replicate,
  runware,
  simulator,
  stability,
]
