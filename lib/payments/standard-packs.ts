import { Packs } from '@/lib/domain/pack'
import packs from './packs.json' with { type: 'json' }

/** What is sold where the operator names nothing else. */
export const standardPacks = Packs.parse(packs)
