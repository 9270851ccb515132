import { z } from 'zod'
import { invariant } from '@/lib/domain/invariant'
import { defineProvider } from '@/lib/providers/provider-kind'
import { comfyUiModelFacts } from './models'
import { createComfyUiProvider } from './provider'

export const comfyUi = defineProvider({
  name: 'comfyui',
  title: 'ComfyUI',
  environment: z.object({
    /** Where your server is. There is no key: whoever reaches it can use it. */
    COMFYUI_URL: z
      .url({ protocol: /^https?$/, error: 'expected an http:// or https:// address' })
      .transform((url) => url.replace(/(?<!\/)\/+$/, ''))
      .optional(),
    /** The file in its models/checkpoints. By default the one that SDXL is published as. */
    COMFYUI_CHECKPOINT: z.string().min(1).max(500).default('sd_xl_base_1.0.safetensors'),
    /** A file with a workflow of your own, in API format. */
    COMFYUI_WORKFLOW: z.string().min(1).max(1_000).optional(),
  }),
  keys: [],
  isConfigured: (env) => env.COMFYUI_URL !== undefined,
  models: (env) => comfyUiModelFacts(env.COMFYUI_WORKFLOW !== undefined),
  create: (env, now) => {
    invariant(env.COMFYUI_URL !== undefined, 'COMFYUI_URL is not set')
    return createComfyUiProvider({
      baseUrl: env.COMFYUI_URL,
      checkpoint: env.COMFYUI_CHECKPOINT,
      workflowPath: env.COMFYUI_WORKFLOW,
      now,
    })
  },
})
