import { json, type Reply, type RouteRequest } from '@/simulator/http'

// What both of Google's surfaces have in common.

/** https://ai.google.dev/gemini-api/docs/image-generation#aspect_ratios_and_image_size, at 1K. */
export const GeminiPixels: Readonly<Record<string, readonly [number, number]>> = {
  '1:1': [1024, 1024],
  '2:3': [848, 1264],
  '3:2': [1264, 848],
  '3:4': [896, 1200],
  '4:3': [1200, 896],
  '4:5': [928, 1152],
  '5:4': [1152, 928],
  '9:16': [768, 1376],
  '16:9': [1376, 768],
  '21:9': [1584, 672],
}

/** https://ai.google.dev/gemini-api/docs/troubleshooting */
export const googleError = (
  code: number,
  status: string,
  message: string,
  details?: readonly object[],
): Reply =>
  json(code, { error: { code, message, status, ...(details === undefined ? {} : { details }) } })

export const hasKey = ({ headers, query }: RouteRequest): boolean =>
  Boolean([headers['x-goog-api-key']].flat()[0] ?? query.get('key'))

export const unregistered = (): Reply =>
  googleError(403, 'PERMISSION_DENIED', 'Method doesn’t allow unregistered callers.')
