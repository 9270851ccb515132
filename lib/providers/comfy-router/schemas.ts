import { z } from 'zod'

// https://docs.comfy.org/development/comfy-router/reference and the models' own pages. Unknown fields
// are ignored.

/** A failure that is told in words. */
export const ErrorBody = z.object({
  detail: z.string().max(10_000),
  error_type: z.string().max(100),
  upstream_detail: z.string().max(10_000).optional(),
})

/** What is wrong with the input, field by field. */
export const ValidationBody = z.object({
  detail: z
    .array(
      z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string().max(2_000) }),
    )
    .min(1),
})

const url = z.string().min(1).max(4_000)

/** Black Forest Labs' own answer, once it has ended. */
export const BflBody = z.object({
  status: z.string(),
  result: z.object({ sample: url }).nullish().catch(undefined),
})

/** OpenAI's list of images; some of those who serve it answer with addresses. */
export const OpenAiBody = z.object({
  data: z.array(z.object({ b64_json: z.string().min(1).nullish(), url: url.nullish() })),
})

export const IdeogramBody = z.object({
  data: z.array(
    z.object({ url: z.string().max(4_000).nullish(), is_image_safe: z.boolean().nullish() }),
  ),
})

const Part = z.object({
  /** What it drew while it was thinking: not the picture that was asked for. */
  thought: z.boolean().optional(),
  inlineData: z.object({ data: z.string().min(1) }).optional(),
  fileData: z.object({ fileUri: url }).optional(),
})

export const GeminiBody = z
  .object({
    candidates: z
      .array(
        z.object({
          content: z.object({ parts: z.array(Part).optional() }).optional(),
          finishReason: z.string().optional(),
        }),
      )
      .optional(),
    promptFeedback: z.object({ blockReason: z.string().min(1).optional() }).optional(),
  })
  .refine(({ candidates, promptFeedback }) => candidates?.length || promptFeedback?.blockReason)
