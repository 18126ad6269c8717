import { costOf, type FundState, sharesToRedeem, worthOf } from '@candela/protocol/fund/fund'
import { toBaseUnits } from '@candela/protocol/money/money'
import { type Bill, fundOf } from './fund-types.ts'

export type RecomputedBill = {
  /** The worth of the shares before and after, base units of USDT. */
  worthBefore: bigint
  worthAfter: bigint
  profit: bigint
  agrees: boolean
}

/** A bill computed again from the fund before and after it. */
export function recomputeBill(bill: Bill): RecomputedBill {
  const [before, after] = [fundOf(bill.before), fundOf(bill.after)]
  const shares = toBaseUnits(bill.shares)
  const worthBefore = worthOf(shares, before)
  const worthAfter = worthOf(shares, after)
  const isMove = bill.type === 'in' || bill.type === 'out'
  const profit = isMove ? 0n : worthAfter - worthBefore
  const agrees =
    profit === toBaseUnits(bill.profit) &&
    (isMove ? moveAgrees(bill, shares, before, after) : before.shares === after.shares)
  return { worthBefore, worthAfter, profit, agrees }
}

/** Nobody's move may change what the shares of the others are worth to their disadvantage. */
function moveAgrees(bill: Bill, shares: bigint, before: FundState, after: FundState): boolean {
  const amount = toBaseUnits(bill.amount)
  if (bill.type === 'in') {
    // The amount that joins the assets is what the shares are worth, rounded up; the rest pays for interest of the running day.
    const joined = after.assets - before.assets
    return after.shares - before.shares === shares && joined === costOf(shares, before) && joined <= amount
  }
  // Everything is paid out at its worth, an amount takes as many shares as it needs.
  const isWorth = sharesToRedeem(amount, before) === shares || worthOf(shares, before) === amount
  return isWorth && before.shares - after.shares === shares && before.assets - after.assets === amount
}
