import { creditingMutations } from './crediting-mutations.ts'
import { followMutations } from './follow-mutations.ts'
import { leaseMutations } from './lease-mutations.ts'
import { loanMutations } from './loan-mutations.ts'
import type { Mutation } from '../../../tests/mutants/mutation.ts'
import { payoutMutations } from './payout-mutations.ts'
import { proofMutations } from './proof-mutations.ts'
import { requestMutations } from './request-mutations.ts'

export const mutations: readonly Mutation[] = [
  ...followMutations,
  ...creditingMutations,
  ...payoutMutations,
  ...loanMutations,
  ...proofMutations,
  ...requestMutations,
  ...leaseMutations,
]
