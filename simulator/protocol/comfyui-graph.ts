import { z } from 'zod'
import type { PictureRequest } from '@/simulator/task-store'

/** What a graph is a picture of, or why it cannot be run, by the name that ComfyUI has for it. */
export type Graph =
  | { readonly kind: 'runs'; readonly picture: PictureRequest }
  | { readonly kind: 'refused'; readonly type: string; readonly message: string }

const refused = (type: string, message: string): Graph => ({ kind: 'refused', type, message })

const side = z.int().min(16).max(16_384).multipleOf(8)
const link = z.tuple([z.string(), z.int().min(0)])

/** The nodes that are there, and what each must be given. */
const NODES = {
  KSampler: z.object({
    seed: z.int().min(0),
    steps: z.int().min(1).max(10_000),
    cfg: z.number(),
    model: link,
    positive: link,
    negative: link,
    latent_image: link,
  }),
  CheckpointLoaderSimple: z.object({ ckpt_name: z.string().endsWith('.safetensors') }),
  EmptyLatentImage: z.object({ width: side, height: side, batch_size: z.int().min(1) }),
  CLIPTextEncode: z.object({ text: z.string(), clip: link }),
  VAEDecode: z.object({ samples: link, vae: link }),
  SaveImage: z.object({ filename_prefix: z.string(), images: link }),
} as const
type NodeName = keyof typeof NODES

const Node = z.object({ class_type: z.string(), inputs: z.record(z.string(), z.unknown()) })
const isKnown = (name: string): name is NodeName => Object.hasOwn(NODES, name)

export function readGraph(graph: Readonly<Record<string, unknown>>): Graph {
  const nodes = new Map<string, z.infer<typeof Node>>()
  for (const [id, raw] of Object.entries(graph)) {
    const node = Node.safeParse(raw).data
    if (node === undefined || !isKnown(node.class_type)) {
      return refused('missing_node_type', `Node '${id}' is not there.`)
    }
    if (!NODES[node.class_type].safeParse(node.inputs).success) {
      return refused('prompt_outputs_failed_validation', `Node '${id}': a wrong input.`)
    }
    nodes.set(id, node)
  }
  const inputsOf = (name: NodeName) =>
    [...nodes.values()].find(({ class_type }) => class_type === name)?.inputs
  const sampler = NODES.KSampler.safeParse(inputsOf('KSampler')).data
  const latent = NODES.EmptyLatentImage.safeParse(inputsOf('EmptyLatentImage')).data
  const [positive] = sampler?.positive ?? ['']
  const words = NODES.CLIPTextEncode.safeParse(nodes.get(positive)?.inputs).data
  if (!sampler || !latent || !words || inputsOf('SaveImage') === undefined) {
    return refused('prompt_no_outputs', 'The graph puts nothing out.')
  }
  const { width, height } = latent
  return {
    kind: 'runs',
    picture: { prompt: words.text, width, height, seed: sampler.seed % 2 ** 32 },
  }
}
