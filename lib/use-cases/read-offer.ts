import type { Model } from '@/lib/domain/model'
import type { Deps } from './deps'

/** A model as it is offered now. */
export type OfferedModel = Model & {
  /** Why it cannot be chosen at the moment, in the user's words. */
  readonly unavailable: string | undefined
}

const UNAVAILABLE = 'This model is not available at the moment. Choose another one.'

/** The models of this installation. Those whose provider refuses us are shown and not accepted. */
export async function readOffer(
  deps: Pick<Deps, 'models' | 'readBlocks'>,
): Promise<readonly OfferedModel[]> {
  const blocked = new Set((await deps.readBlocks()).map(({ provider }) => provider))
  return deps.models.map((model) => ({
    ...model,
    unavailable: blocked.has(model.provider) ? UNAVAILABLE : undefined,
  }))
}
