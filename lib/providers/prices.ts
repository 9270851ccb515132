import { z } from 'zod'
import { invariant } from '@/lib/domain/invariant'
import type { Model, ModelFacts } from '@/lib/domain/model'
import standardPrices from './prices.json' with { type: 'json' }

const PRICE_MAX = 1_000_000

const Price = z
  .int(`expected a whole number of credits from 1 to ${PRICE_MAX}`)
  .min(1, `expected a whole number of credits from 1 to ${PRICE_MAX}`)
  .max(PRICE_MAX, `expected a whole number of credits from 1 to ${PRICE_MAX}`)

/** Credits for one image, by model id. */
export const Prices = z.record(z.string(), Price)
export type Prices = Readonly<z.infer<typeof Prices>>

/**
 * The models at the operator's prices, and otherwise at the standard ones. Where the operator names
 * a provider's models, those without a price of their own cost what `provider/*` says.
 */
export function priceModels(
  facts: readonly ModelFacts[],
  operatorPrices: Prices = {},
): readonly Model[] {
  const prices: Prices = { ...standardPrices, ...operatorPrices }
  return facts.map((model) => {
    const priceCredits = prices[model.id] ?? prices[`${model.provider}/*`]
    invariant(priceCredits !== undefined, `the model ${model.id} has no price`)
    return { ...model, priceCredits }
  })
}
