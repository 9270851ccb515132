import { priceModels } from '@/lib/providers/prices'
import { simulatorModelFacts } from '@/lib/providers/simulator/models'

/** The simulator’s models at the standard prices. */
export const simulatorModels = priceModels(simulatorModelFacts)
