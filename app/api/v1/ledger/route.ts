import { LedgerQuery, readQuery } from '@/lib/api/query'
import { json, resource } from '@/lib/api/resource'
import { readStatement } from '@/lib/use-cases/read-ledger'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: async ({ deps, url, accountId }) => {
    const query = readQuery(LedgerQuery, url)
    if (!query.ok) return query.refusal
    return json(await readStatement(deps, accountId, query.value))
  },
})
