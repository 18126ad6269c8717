import { utcDay } from '@candela/protocol/calendar'
import { mortgageRate } from '@candela/protocol/lending/lines'
import { nextPayment, payoffOf } from '@candela/protocol/lending/repayment'
import type { Data } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { PPM } from '@candela/protocol/units'
import type { Prices } from '../../../../chain/price/price.ts'
import { rateText } from '../../../../db/lending-settings.ts'
import type { Database } from '../../../../db/open.ts'
import { watchPrice } from '../prices.ts'
import { loanOf, type LoanRecord, nextDueOf, securedOf } from '../record/loan-record.ts'
import { asOfToday, describeSafety } from './describe-loan.ts'
import { findLoans } from './find-loans.ts'

type Overview = Data<'GET home/overview'>

/** All open loans of a member together. Base units. */
export type LoanSummary = {
  /** The amount that ends all of them today, with the handling fees that have come due. */
  debt: bigint
  collateral: { JU: bigint; HASH: bigint }
  open: number
  mortgage: Overview['mortgage']
  nextRepayment: Overview['nextRepayment']
}

/** The most that a member can have open: see the setting `openLoans`. */
const ALL = 10_000

export async function summarizeLoans(
  db: Database,
  prices: Prices,
  { memberId, now }: { memberId: bigint; now: Date },
): Promise<LoanSummary> {
  const found = await findLoans(db, { memberId, open: true, limit: ALL })
  const loans = found.map((loan) => asOfToday(loan, now))
  const today = utcDay(now)
  const collateral = { JU: 0n, HASH: 0n }
  for (const { row } of loans) collateral[row.collateral_asset] += row.collateral
  const nearest = loans.toSorted((one, other) => compare(nearness(other, prices), nearness(one, prices)))[0]
  const due = loans
    .flatMap((loan) => {
      const next = nextDueOf(loan)
      return next === undefined ? [] : [{ loan, dueOn: next.dueOn }]
    })
    .toSorted((one, other) => (one.dueOn < other.dueOn ? -1 : one.dueOn > other.dueOn ? 1 : 0))[0]
  return {
    debt: loans.reduce((sum, loan) => sum + payoffOf(loanOf(loan), today), 0n),
    collateral,
    open: loans.length,
    mortgage: nearest === undefined ? null : describeMortgage(nearest, prices),
    nextRepayment:
      due === undefined
        ? null
        : {
            loanNo: due.loan.row.loan_no,
            amount: fromBaseUnits(nextPayment(loanOf(due.loan), today)),
            dueOn: due.dueOn,
          },
  }
}

const compare = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0)

/** Mortgage rate ÷ clearing line, in millionths; a loan whose price is unknown comes last. */
function nearness({ row }: LoanRecord, prices: Prices): bigint {
  const price = watchPrice(prices, row.collateral_asset)
  if (price === null) return -1n
  const rate = mortgageRate(securedOf(row), price.used)
  // Nothing secures it: nearer than any.
  return rate === null ? 10n ** 60n : (rate * PPM) / BigInt(row.clearing_ppm)
}

const describeMortgage = (loan: LoanRecord, prices: Prices): Overview['mortgage'] => ({
  loanNo: loan.row.loan_no,
  kind: loan.row.kind,
  safetyLine: rateText(loan.row.safety_ppm),
  clearingLine: rateText(loan.row.clearing_ppm),
  safety: describeSafety(loan, watchPrice(prices, loan.row.collateral_asset)),
})
