import type { RouteRequest } from '@/simulator/http'

/** The parts of a multipart body; undefined when it is none. */
export async function formDataOf({ headers, body }: RouteRequest): Promise<FormData | undefined> {
  try {
    const response = new Response(new Uint8Array(body), {
      headers: { 'content-type': headers['content-type'] ?? '' },
    })
    return await response.formData()
  } catch {
    return undefined
  }
}

/** The texts among them. */
export function textsOf(form: FormData): Record<string, string> {
  return Object.fromEntries(
    [...form.entries()].flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as const] : [],
    ),
  )
}
