import { z } from 'zod'

// https://developers.openai.com/api/reference/resources/images. Unknown fields are ignored.

export const ImagesBody = z.object({
  data: z
    .array(
      z.object({
        b64_json: z.string().min(1).nullish(),
        url: z.string().min(1).nullish(),
      }),
    )
    .min(1),
})
