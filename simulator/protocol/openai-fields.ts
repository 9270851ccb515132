import { z } from 'zod'
import type { Reply } from '@/simulator/http'
import { apiError } from './images-api'

// What OpenAI's surfaces take of an image, and how they refuse the rest.

const PIXELS_MIN = 655_360
const PIXELS_MAX = 8_294_400
const SIDE_MAX = 3_840

/** https://developers.openai.com/api/docs/guides/image-generation#size-and-quality-options */
export const Size = z
  .string()
  .regex(/^[1-9]\d{2,3}x[1-9]\d{2,3}$/)
  .refine((size) => {
    const [width = 0, height = 0] = size.split('x').map(Number)
    const [short, long] = [Math.min(width, height), Math.max(width, height)]
    const pixels = width * height
    return (
      width % 16 === 0 &&
      height % 16 === 0 &&
      long <= SIDE_MAX &&
      long <= 3 * short &&
      pixels >= PIXELS_MIN &&
      pixels <= PIXELS_MAX
    )
  }, 'expected multiples of 16 within the model’s limits')

export const ImageModel = z.string().regex(/^gpt-image-[a-z0-9.-]+$/)
export const Quality = z.enum(['low', 'medium', 'high', 'xhigh', 'max', 'auto'])
export const OutputFormat = z.enum(['png', 'jpeg', 'webp'])

export function invalid(error: z.ZodError | undefined): Reply {
  const [issue] = error?.issues ?? []
  const isUnknown = issue?.code === 'unrecognized_keys'
  const param = isUnknown ? issue.keys[0] : issue?.path.join('.')
  return apiError(400, {
    message: isUnknown ? `Unknown parameter: '${param}'.` : (issue?.message ?? 'Invalid body.'),
    type: 'invalid_request_error',
    ...(param ? { param } : {}),
    code: isUnknown ? 'unknown_parameter' : 'invalid_value',
  })
}
