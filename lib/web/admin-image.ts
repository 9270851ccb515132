import { z } from 'zod'

const Kept = z.object({ sha256: z.string() })
const Problem = z.object({ detail: z.string() })

/** Has the file kept for the attempt, and answers its digest, or what is wrong with it. */
export async function bringImage(
  attemptId: string,
  file: File,
): Promise<{ readonly sha256: string } | { readonly problem: string }> {
  const address = `/api/admin/attempts/${encodeURIComponent(attemptId)}/image`
  const response = await fetch(address, { method: 'POST', body: file })
  const body: unknown = await response.json()
  if (response.ok) return Kept.parse(body)
  return { problem: Problem.safeParse(body).data?.detail ?? 'The image could not be kept.' }
}
