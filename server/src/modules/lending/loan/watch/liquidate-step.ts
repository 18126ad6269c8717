import { daysBetween } from '@candela/protocol/calendar'
import { type Liquidation, type LiquidationReason, planLiquidation } from '@candela/protocol/lending/liquidation'
import type { Debt } from '@candela/protocol/lending/loan'
import { countSale } from '@candela/protocol/lending/repayment'
import { reaches } from '@candela/protocol/lending/lines'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { debtOf, type LoanRecord, type LoanRow, nextDueOf, securedOf, termsOf } from '../record/loan-record.ts'
import { deficitPosting, liquidationPosting, pledgeReturnPosting, sharesOfDebt } from '../record/postings.ts'
import { type Change, paidOf, unchanged } from '../record/steps.ts'

/** Prices in USDT base units per whole unit, and the USDT that the desk can pay now. */
export type Market = { watchPrice: bigint; salePrice: bigint; deskUsdt: bigint }

export type LiquidationStep = {
  change: Change
  /** The sale that was done; null when nothing was to do, or nothing could be done because the desk cannot pay now. */
  done: { plan: Liquidation; reason: LiquidationReason; liquidationNo: string } | null
  /** More is to be sold when the desk can pay again. */
  goesOn: boolean
  /** The shares of the fund and of the reserve in a debt that nothing is left to pay. */
  deficit: { fundPart: bigint; reservePart: bigint } | null
}

/** Why collateral of this loan is sold, apart from its price. */
export function reasonFor(loan: LoanRecord, today: string): LiquidationReason {
  const { kind, due_on, grace_days, default_days } = loan.row
  if (kind === 'lever' && daysBetween(due_on, today) > grace_days) return 'term'
  const next = nextDueOf(loan)
  return next !== undefined && daysBetween(next.dueOn, today) >= default_days ? 'default' : 'line'
}

/**
 * Sells what has to be sold of a loan that is charged up to today.
 * @param reason as `reasonFor`, or a line that is reached besides
 * @param onTheWay paid on chain and not credited yet. The debt is less by it, but for a sale that leaves a shortfall.
 */
export function liquidateStep(
  loan: LoanRecord,
  market: Market,
  {
    reason,
    onTheWay,
    now,
    liquidationNo,
  }: { reason: LiquidationReason; onTheWay: bigint; now: Date; liquidationNo: string },
): LiquidationStep {
  const { row } = loan
  const debt = debtOf(row)
  const planned = (owed: Debt) =>
    planLiquidation({ reason, debt: owed, collateral: row.collateral, terms: termsOf(row), ...market })
  const ahead = planned(less(debt, onTheWay))
  const found = ahead !== null && ahead.shortfall > 0n ? planned(debt) : ahead
  const nothing = { change: unchanged(loan), done: null, deficit: null }
  if (found === null) return { ...nothing, goesOn: false }
  if (found.sold === 0n) return { ...nothing, goesOn: true }
  const { parts, dues, closed } = countSale({ debt, dues: loan.dues }, found.repaid)
  // A repayment on the way secures nothing before it is credited: the collateral goes back with it.
  const plan = closed ? found : { ...found, returned: 0n }
  const sale = { liquidationNo, sold: plan.sold, parts, fee: plan.fee }
  const change = sell({ ...loan, dues }, sale, { ...plan, closed }, now)
  const left = debtOf(change.loan.row)
  const done = { plan, reason, liquidationNo }
  if (plan.shortfall === 0n) {
    const isStill = reason !== 'line' || isAtLine(change.loan.row, market.watchPrice)
    return { change, done, goesOn: plan.incomplete && isStill, deficit: null }
  }
  const { row: sold } = change.loan
  return {
    change: {
      ...change,
      loan: { ...change.loan, row: { ...sold, ...nothingOwed(sold), state: 'written-off', closed_at: now } },
      postings: [...change.postings, deficitPosting(row, left, now)],
    },
    done,
    goesOn: false,
    deficit: sharesOfDebt(row, left, paidOf(sold)),
  }
}

/** A debt that is smaller by an amount, in sum. */
const less = ({ principal, interest, charges }: Debt, amount: bigint): Debt => ({
  principal: principal + interest + charges - amount,
  interest: 0n,
  charges: 0n,
})

export const isAtLine = (row: LoanRow, price: bigint): boolean =>
  reaches(securedOf(row), price, BigInt(row.clearing_ppm))

const nothingOwed = ({ interest_charged, late_charged }: LoanRecord['row']) => ({
  principal: 0n,
  interest_paid: interest_charged,
  late_paid: late_charged,
})

/** @param loan with its due amounts as they are after the sale */
function sell(
  loan: LoanRecord,
  sale: Parameters<typeof liquidationPosting>[1],
  { returned, closed }: Liquidation & { closed: boolean },
  now: Date,
): Change {
  const { row } = loan
  const { parts, sold, liquidationNo } = sale
  const after = {
    ...row,
    principal: row.principal - parts.principal,
    interest_paid: row.interest_paid + parts.interest,
    late_paid: row.late_paid + parts.charges,
    collateral: row.collateral - sold - returned,
    ...(closed ? { state: 'liquidated' as const, closed_at: now } : {}),
  }
  return {
    loan: { row: after, dues: loan.dues },
    postings: [
      liquidationPosting(row, sale, paidOf(row), now),
      ...(returned > 0n ? [pledgeReturnPosting(row, returned, liquidationNo, now)] : []),
    ],
    done: { kind: 'sale', parts: { ...parts, fees: 0n } },
    notices: [
      {
        kind: 'loanLiquidated',
        params: {
          asset: row.collateral_asset,
          amount: fromBaseUnits(sold),
          loanNo: row.loan_no,
          liquidationNo,
          repaid: fromBaseUnits(parts.principal + parts.interest + parts.charges),
        },
        memberId: row.member_id,
        source: `liquidation:${liquidationNo}`,
        at: now,
      },
    ],
  }
}
