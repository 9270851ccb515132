import { json, resource } from '@/lib/api/resource'
import { readBalance } from '@/lib/use-cases/read-ledger'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: async ({ deps, accountId }) => json(await readBalance(deps, accountId)),
})
