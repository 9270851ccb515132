import type { Database } from '@/lib/db/database'
import { findCapabilities } from '@/lib/db/verification-store'

/** Whether the provider can be searched for attempts of this model; undefined when nobody has said. */
export async function canBeSearchedFor(db: Database, model: string): Promise<boolean | undefined> {
  const capabilities = await findCapabilities(db, model)
  return capabilities && capabilities.lookup !== undefined
}
