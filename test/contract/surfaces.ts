import { TEST_SECRET } from '@/simulator/testing'
import type { Message } from './fault-proxy'

/** One way of asking a provider for an image, and how to recognise that on the wire. */
export type Surface = {
  readonly model: string
  readonly environment: (base: string) => Readonly<Record<string, string>>
  readonly isSubmission: (message: Message) => boolean
  /** What its provider does not do, so that nothing can be shown about it. */
  readonly never?: readonly ('refuses' | 'moderates' | 'asks to wait' | 'asks for a key')[]
  /** It asks to wait for longer than an attempt may be sent. */
  readonly waitsTooLong?: true
}

const KEY = 'a-key-of-the-tests'
const WHSEC = `whsec_${Buffer.from(TEST_SECRET, 'utf8').toString('base64')}`

const postTo =
  (path: RegExp) =>
  ({ method, path: asked }: Message): boolean =>
    method === 'POST' && path.test(asked.split('?')[0] ?? '')

/** Every provider, by each of its ways that differ in what can be proved. */
export const surfaces: readonly Surface[] = [
  {
    model: 'simulator/proof',
    environment: (base) => ({ SIMULATOR_URL: base, SIMULATOR_WEBHOOK_SECRET: TEST_SECRET }),
    isSubmission: postTo(/^\/v1\/generations$/),
  },
  {
    model: 'replicate/flux-schnell',
    environment: (base) => ({
      REPLICATE_API_TOKEN: KEY,
      REPLICATE_BASE_URL: `${base}/replicate`,
      REPLICATE_WEBHOOK_SECRET: WHSEC,
    }),
    isSubmission: postTo(/\/models\/[^/]+\/[^/]+\/predictions$/),
  },
  {
    model: 'fal/flux-dev',
    environment: (base) => ({ FAL_KEY: KEY, FAL_BASE_URL: `${base}/fal` }),
    isSubmission: postTo(/^\/fal\//),
  },
  {
    model: 'bfl/flux-2-pro',
    environment: (base) => ({ BFL_API_KEY: KEY, BFL_BASE_URL: `${base}/bfl` }),
    isSubmission: postTo(/^\/bfl\/v1\//),
  },
  {
    model: 'openai/gpt-image-2',
    environment: (base) => ({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${base}/openai/v1` }),
    isSubmission: postTo(/\/images\/generations$/),
  },
  {
    model: 'openai/gpt-image-2-background',
    environment: (base) => ({
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: `${base}/openai/v1`,
      OPENAI_WEBHOOK_SECRET: WHSEC,
    }),
    isSubmission: postTo(/\/responses$/),
  },
  {
    model: 'compatible/any-model',
    environment: (base) => ({
      COMPATIBLE_BASE_URL: `${base}/compatible/v1`,
      COMPATIBLE_API_KEY: KEY,
      COMPATIBLE_MODELS: 'any-model',
    }),
    isSubmission: postTo(/\/images\/generations$/),
  },
  {
    model: 'gemini/gemini-3-pro-image',
    environment: (base) => ({ GEMINI_API_KEY: KEY, GEMINI_BASE_URL: `${base}/gemini` }),
    isSubmission: postTo(/:generateContent$/),
  },
  {
    model: 'stability/core',
    environment: (base) => ({ STABILITY_API_KEY: KEY, STABILITY_BASE_URL: `${base}/stability` }),
    isSubmission: postTo(/\/stable-image\/generate\//),
    waitsTooLong: true,
  },
  {
    model: 'runware/flux-2-dev',
    environment: (base) => ({ RUNWARE_API_KEY: KEY, RUNWARE_BASE_URL: `${base}/runware/v1` }),
    isSubmission: ({ method, body }) =>
      method === 'POST' && body.toString('utf8').includes('"imageInference"'),
  },
  {
    model: 'ideogram/ideogram-4.5',
    environment: (base) => ({ IDEOGRAM_API_KEY: KEY, IDEOGRAM_BASE_URL: `${base}/ideogram` }),
    isSubmission: postTo(/\/image\/generate\//),
  },
  {
    model: 'comfy-router/flux-2-pro',
    environment: (base) => ({
      COMFY_ROUTER_API_KEY: KEY,
      COMFY_ROUTER_BASE_URL: `${base}/comfy-router`,
    }),
    isSubmission: postTo(/\/models\/[^/]+\/[^/]+/),
  },
  {
    model: 'comfyui/text-to-image',
    environment: (base) => ({ COMFYUI_URL: `${base}/comfyui` }),
    isSubmission: postTo(/\/prompt$/),
    never: ['refuses', 'moderates', 'asks to wait', 'asks for a key'],
  },
]
