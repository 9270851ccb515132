import { applicationMutations } from './application'
import { functionMutations } from './functions'
import type { Mutation } from './mutation'
import { purchaseMutations } from './purchases'
import { schemaMutations } from './schema'

/** Every mutation that `npm run test:mutation` tries. */
export const mutations: readonly Mutation[] = [
  ...schemaMutations,
  ...functionMutations,
  ...applicationMutations,
  ...purchaseMutations,
]
