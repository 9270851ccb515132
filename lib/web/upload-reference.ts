import { isRecord } from './browser-storage'

/** What the server takes at most; it refuses more by itself, after all of it has travelled. */
const BYTES_MAX = 8 * 1024 * 1024
const TYPES = ['image/png', 'image/jpeg', 'image/webp']
export const REFERENCE_TYPES = TYPES.join(',')

export type UploadProblem = 'not-an-image' | 'too-large' | 'too-many' | 'signed-out' | 'no-answer'
export type Uploaded =
  | { readonly ok: true; readonly sha256: string }
  | { readonly ok: false; readonly problem: UploadProblem }

const refused = (problem: UploadProblem): Uploaded => ({ ok: false, problem })

/** Uploads one image that pictures can be made after. The same bytes are kept once: asking again does no harm. */
export async function uploadReference(
  file: Blob,
  fetchIt: typeof fetch = fetch,
): Promise<Uploaded> {
  if (!TYPES.includes(file.type)) return refused('not-an-image')
  if (file.size > BYTES_MAX) return refused('too-large')
  try {
    const answer = await fetchIt('/api/reference-images', { method: 'POST', body: file })
    const body: unknown = await answer.json()
    if (answer.ok && isRecord(body) && typeof body['sha256'] === 'string') {
      return { ok: true, sha256: body['sha256'] }
    }
    return refused(problemOf(answer.status, isRecord(body) ? body['code'] : undefined))
  } catch {
    return refused('no-answer')
  }
}

function problemOf(status: number, code: unknown): UploadProblem {
  if (status === 401) return 'signed-out'
  if (status === 413 || code === 'too-large') return 'too-large'
  return code === 'not-an-image' || code === 'too-many' ? code : 'no-answer'
}

/** The stored picture of an attempt, as a file that can be uploaded. */
export async function fetchPicture(attemptId: string): Promise<Blob | undefined> {
  try {
    const answer = await fetch(`/api/attempts/${attemptId}/image`)
    return answer.ok ? await answer.blob() : undefined
  } catch {
    return undefined
  }
}
