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
    name: 'a repayment that a reorganisation brings back is counted again',
    file: 'server/src/chain/follow/record-blocks.ts',
    search: 'orphaned_at: null,',
    replace: "orphaned_at: null, state: 'recorded', outcome: null, credited_at: null,",
    more: [
      {
        file: 'server/src/modules/loan/repay/settle-repayments.ts',
        search: 'if (before.length > 0) {',
        replace: 'if (before.length > 9) {',
      },
    ],
  },
  {
    name: 'of two repayments of a loan in one batch the second forgets the first',
    file: 'server/src/modules/loan/repay/settle-repayments.ts',
    search: 'repayOnChain(open.change, payment',
    replace: 'repayOnChain(open.isRepaid ? { ...open.change, loan: open.before } : open.change, payment',
  },
  {
    name: 'what a repayment on chain has too much is lost',
    file: 'server/src/modules/loan/repay/settle-repayments.ts',
    search: 'rest > 0n ? [repayment, surplus] : [repayment]',
    replace: 'rest < 0n ? [repayment, surplus] : [repayment]',
  },
  {
    name: 'a day that was interrupted charges its interest again',
    file: 'server/src/modules/loan/daily/charge-chunk.ts',
    search: 'and interest_through = ${addDays(day, -1)}::date and next_due_on',
    replace:
      'and (interest_through = ${addDays(day, -1)}::date or (interest_through = ${day}::date and opened_on < ${addDays(day, -1)}::date)) and next_due_on',
    more: [
      {
        file: 'server/src/modules/loan/daily/charge-day.ts',
        search: "conflict.column('day').doNothing()",
        replace: "conflict.column('day').doUpdateSet({ to_loan: 0n })",
      },
    ],
  },
  {
    name: 'a day of the fund that was interrupted is closed again',
    file: 'server/src/modules/fund/close-day.ts',
    search: 'if (closed !== undefined) return false',
    replace: "if (closed !== undefined && day === '') return false",
  },
]
