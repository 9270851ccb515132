import { attemptForPrograms } from '@/lib/api/attempt-answer'
import { problemAnswer } from '@/lib/api/problem'
import { json, resource } from '@/lib/api/resource'
import { readAttempt } from '@/lib/use-cases/read-attempts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: async ({ deps, accountId, id }) => {
    const attempt = await readAttempt(deps, accountId, id)
    return attempt ? json(attemptForPrograms(attempt)) : problemAnswer('not_found')
  },
})
