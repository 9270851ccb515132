import type { OfferedModel } from '@/lib/domain/model'

/** A model that offers a seed and nothing else besides its sizes. */
export const PLAIN: OfferedModel = {
  id: 'simulator/safelight',
  name: 'Safelight',
  provider: 'simulator',
  providerTitle: 'Simulator',
  description: 'Draws on this machine.',
  sizes: [
    { width: 1024, height: 1024 },
    { width: 1216, height: 832 },
    { width: 832, height: 1216 },
  ],
  promptCodePointsMax: 4_000,
  seed: true,
  negativePrompt: false,
  qualities: [],
  referenceImagesMax: 0,
  usualSeconds: 4,
  priceCredits: 4,
  unavailable: undefined,
}

export const RICH: OfferedModel = {
  ...PLAIN,
  id: 'acme/rich',
  name: 'Rich',
  provider: 'acme',
  providerTitle: 'Acme',
  sizes: [
    { width: 1536, height: 1024 },
    { width: 1024, height: 1024 },
  ],
  promptCodePointsMax: 1_000,
  negativePrompt: true,
  qualities: ['medium', 'high'],
  referenceImagesMax: 4,
  usualSeconds: 40,
  priceCredits: 8,
}

export const SEEDLESS: OfferedModel = { ...PLAIN, id: 'acme/bare', name: 'Bare', seed: false }
