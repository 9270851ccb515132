import type { OfferedModel } from '@/lib/domain/model'
import { providerKinds } from '@/lib/providers/registry'
import type { Deps } from './deps'

const UNAVAILABLE = 'This model is not available at the moment. Choose another one.'

export type { OfferedModel }

const titles = new Map(providerKinds.map(({ name, title }) => [name, title]))

/** The models of this installation. Those whose provider refuses us are shown and not accepted. */
export async function readOffer(
  deps: Pick<Deps, 'models' | 'readBlocks'>,
): Promise<readonly OfferedModel[]> {
  const blocked = new Set((await deps.readBlocks()).map(({ provider }) => provider))
  return deps.models.map((model) => ({
    ...model,
    providerTitle: titles.get(model.provider) ?? model.provider,
    unavailable: blocked.has(model.provider) ? UNAVAILABLE : undefined,
  }))
}
