import type { AttemptView } from '@/lib/web/views'

/** The attempt as programs see it: its artwork is where a program with a key can fetch it. */
export function attemptForPrograms(attempt: AttemptView): AttemptView {
  const { id, artwork } = attempt
  return {
    ...attempt,
    artwork: artwork && { ...artwork, url: `/api/v1/attempts/${id}/image` },
  }
}
