import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { SubmitRequest } from '@/lib/domain/provider'
import { describeError } from '@/lib/providers/describe-error'
import { parseJson } from '@/lib/providers/parse-json'
import textToImage from './text-to-image.json' with { type: 'json' }

/** A graph as `POST /prompt` takes it: https://docs.comfy.org/development/comfyui-server/api-key-integration */
const Workflow = z.record(
  z.string(),
  z.object({ class_type: z.string(), inputs: z.record(z.string(), z.unknown()) }),
)
export type Workflow = z.infer<typeof Workflow>

type Values = Readonly<Record<string, string | number>>

// Without them every attempt would be the same picture.
const NEEDED = ['prompt', 'seed'] as const

/** The graph of the operator, or ours. Throws what the operator has to be told. */
export function loadWorkflow(path: string | undefined): Workflow {
  if (path === undefined) return Workflow.parse(textToImage)
  const text = readText(path)
  const workflow = Workflow.safeParse(parseJson(text)).data
  if (workflow === undefined) {
    throw new Error(
      `COMFYUI_WORKFLOW: expected a workflow in API format (in ComfyUI: Workflow, Export (API)): ${path}`,
    )
  }
  const missing = NEEDED.filter((name) => !text.includes(`{{${name}}}`))
  if (missing.length > 0) {
    const names = missing.map((name) => `{{${name}}}`).join(' and ')
    throw new Error(`COMFYUI_WORKFLOW: expected ${names} in one of its inputs: ${path}`)
  }
  return workflow
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`COMFYUI_WORKFLOW: cannot be read: ${describeError(error)}`, { cause: error })
  }
}

/** The graph with what is asked for in the place of its placeholders. */
export function fillWorkflow(
  workflow: Workflow,
  { reference, prompt, settings }: SubmitRequest,
  checkpoint: string,
): Workflow {
  const values: Values = {
    reference,
    prompt,
    negative_prompt: settings.negativePrompt ?? '',
    width: settings.width,
    height: settings.height,
    // The sampler needs one: the same for the attempt each time it is asked.
    seed: settings.seed ?? createHash('sha256').update(reference).digest().readUInt32BE(0),
    checkpoint,
  }
  return Workflow.parse(filled(workflow, values))
}

/**
 * Values are put into the graph's values, never into its text, so that no prompt can change the
 * graph. An input that is a placeholder and nothing else becomes the value with its type.
 */
function filled(value: unknown, values: Values): unknown {
  if (typeof value === 'string') {
    const alone = /^\{\{([a-z_]+)\}\}$/.exec(value)?.[1]
    if (alone !== undefined && Object.hasOwn(values, alone)) return values[alone]
    return value.replace(/\{\{([a-z_]+)\}\}/g, (text, name: string) =>
      Object.hasOwn(values, name) ? String(values[name]) : text,
    )
  }
  if (Array.isArray(value)) return value.map((one) => filled(one, values))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, filled(one, values)]),
    )
  }
  return value
}
