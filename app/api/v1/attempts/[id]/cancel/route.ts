import { attemptForPrograms } from '@/lib/api/attempt-answer'
import { problemAnswer } from '@/lib/api/problem'
import { json, resource } from '@/lib/api/resource'
import { cancelAttempt } from '@/lib/use-cases/cancel-attempt'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  POST: async ({ deps, accountId, id }) => {
    const cancellation = await cancelAttempt(deps, accountId, id)
    if (!cancellation) return problemAnswer('not_found')
    return json({ ...cancellation, attempt: attemptForPrograms(cancellation.attempt) })
  },
})
