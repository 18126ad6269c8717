import type { Mutation } from '../../../mutants/mutation.ts'

/** Loans and the fund. */
export const loanMutations: readonly Mutation[] = [
  {
    name: 'a price that is pushed for one block liquidates',
    file: 'server/src/chain/price/use-price.ts',
    search: 'return spot > average5 ? spot : average5',
    replace: 'return spot < average5 ? spot : average5',
  },
  {
    name: 'what a repayment on chain has too much is lost',
    file: 'server/src/modules/loan/repay/settle-repayments.ts',
    search: 'rest > 0n ? [repayment, surplus] : [repayment]',
    replace: 'rest < 0n ? [repayment, surplus] : [repayment]',
  },
  {
    name: 'a day of the fund that was interrupted is closed again',
    file: 'server/src/modules/fund/close-day.ts',
    search: 'if (closed !== undefined) return false',
    replace: "if (closed !== undefined && day === '') return false",
  },
]
