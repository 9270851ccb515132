import { attemptForPrograms } from '@/lib/api/attempt-answer'
import { AttemptsQuery, readQuery } from '@/lib/api/query'
import { json, resource } from '@/lib/api/resource'
import { startOperation } from '@/lib/api/start-operation'
import { listAttempts } from '@/lib/use-cases/read-attempts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: async ({ deps, url, accountId }) => {
    const query = readQuery(AttemptsQuery, url)
    if (!query.ok) return query.refusal
    const { request_id: requestId, ...page } = query.value
    const { data, next_cursor } = await listAttempts(deps, accountId, { ...page, requestId })
    return json({ data: data.map(attemptForPrograms), next_cursor })
  },
  POST: startOperation,
})
