import type { ModelFacts } from '@/lib/domain/model'

export const MODEL_ID = 'comfyui/text-to-image'

/** One model: the checkpoint or the workflow that the operator chose. */
export function comfyUiModelFacts(hasOwnWorkflow: boolean): readonly ModelFacts[] {
  return [
    {
      id: MODEL_ID,
      name: 'ComfyUI',
      provider: 'comfyui',
      description: 'Runs on our own machine. Nothing is bought.',
      // What SDXL was trained at.
      sizes: [
        { width: 1024, height: 1024 },
        { width: 1216, height: 832 },
        { width: 832, height: 1216 },
        { width: 1344, height: 768 },
        { width: 768, height: 1344 },
      ],
      promptCodePointsMax: 4_000,
      seed: true,
      // The operator's workflow may have no place for it.
      negativePrompt: !hasOwnWorkflow,
      qualities: [],
      referenceImagesMax: 0,
      usualSeconds: 20,
    },
  ]
}
