import type { Mutation } from '../../../tests/mutants/mutation.ts'

/** Loans and the fund. */
export const loanMutations: readonly Mutation[] = [
  {
    name: 'a price that is pushed for one block liquidates',
    file: 'server/src/chain/price/use-price.ts',
    search: 'marginPrice({ asset, median5, pauseReason }: Price)',
    replace: 'marginPrice({ asset, spot: median5, pauseReason }: Price)',
  },
  {
    name: 'what a repayment on chain has too much is lost',
    file: 'server/src/modules/lending/loan/repay/settle-repayments.ts',
    search: 'rest > 0n ? [repayment, surplus] : [repayment]',
    replace: 'rest < 0n ? [repayment, surplus] : [repayment]',
  },
  {
    name: 'a day of the fund that was interrupted is closed again',
    file: 'server/src/modules/fund/close-day.ts',
    search: 'if (closed !== undefined) return false',
    replace: "if (closed !== undefined && day === '') return false",
  },
  {
    name: 'interest of a day that was charged before is charged twice',
    file: 'server/src/modules/lending/loan/daily/charge-chunk.ts',
    search: 'and interest_through = ${addDays(day, -1)}::date\n',
    replace: 'and interest_through <= ${day}::date\n',
  },
  {
    name: 'what was charged before a kill is not counted for its projects',
    file: 'server/src/modules/lending/loan/daily/charge-day.ts',
    search: 'while (await transaction(db, (tx) => chargeNext(tx, deps, day, now)));',
    replace: 'while (await chargeNext(db as Tx, deps, day, now));',
  },
]
