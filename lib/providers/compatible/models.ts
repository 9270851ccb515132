import type { ModelFacts } from '@/lib/domain/model'

// Whoever serves them, these are sizes of the Images API; a server that does not take one refuses it.
const SIZES = [
  { width: 1024, height: 1024 },
  { width: 1536, height: 1024 },
  { width: 1024, height: 1536 },
  { width: 512, height: 512 },
] as const

/** The part of a model's id that stands for what its server calls it. */
const slugOf = (upstream: string): string =>
  upstream
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .slice(0, 80)

export const compatibleModelId = (upstream: string): string => `compatible/${slugOf(upstream)}`

export const compatibleModelFacts = (
  upstreams: readonly string[],
  serverName: string,
): readonly ModelFacts[] =>
  upstreams.map((upstream) => ({
    id: compatibleModelId(upstream),
    name: upstream,
    provider: 'compatible',
    description: `Served by ${serverName}.`,
    sizes: SIZES,
    promptCodePointsMax: 4_000,
    // The Images API has no field for either.
    seed: false,
    negativePrompt: false,
    qualities: [],
    referenceImagesMax: 0,
    usualSeconds: 20,
  }))
