import { utcDay } from '@candela/protocol/calendar'
import { mortgageRate, priceAtLine, safetyStatus } from '@candela/protocol/lending/lines'
import { isPaid, totalOf } from '@candela/protocol/lending/loan'
import { nextPayment, payoffOf } from '@candela/protocol/lending/repayment'
import type { LoanItem } from '@candela/protocol/endpoints/lending'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Prices } from '../../../../chain/price/price.ts'
import { rateText } from '../../../../db/lending-settings.ts'
import type { LocalizedText } from '../../../../db/schema/json-columns.ts'
import { debtOf, loanOf, type LoanRecord, nextDueOf, securedOf, termsOf } from '../record/loan-record.ts'
import { chargeStep } from '../record/steps.ts'
import { type UsedPrice, watchPrice } from '../prices.ts'

/** A loan with its project's number and name, and how much of its principal nothing was left to pay for, USDT base units. */
export type FoundLoan = LoanRecord & { project: { no: string; name: LocalizedText } | null; writtenOff: bigint }

/** A loan as of now: charged up to today, whether that was written yet or not. */
export function asOfToday(loan: LoanRecord, now: Date): LoanRecord {
  return loan.row.closed_at === null ? chargeStep(loan, utcDay(now), now).loan : loan
}

export function describeLoan(found: FoundLoan, prices: Prices, now: Date): LoanItem {
  const { project, writtenOff } = found
  const record = asOfToday(found, now)
  const { row, dues } = record
  const loan = loanOf(record)
  const today = utcDay(now)
  const debt = debtOf(row)
  const next = nextDueOf(record)
  return {
    loanNo: row.loan_no,
    kind: row.kind,
    projectNo: project?.no ?? null,
    projectName: project?.name ?? null,
    state: next !== undefined && next.dueOn < today && row.state !== 'liquidating' ? 'overdue' : row.state,
    lent: fromBaseUnits(row.lent),
    collateralAsset: row.collateral_asset,
    collateral: fromBaseUnits(row.collateral),
    rate: rateText(row.rate_ppm),
    initialRate: rateText(row.initial_ppm),
    safetyLine: rateText(row.safety_ppm),
    clearingLine: rateText(row.clearing_ppm),
    principal: fromBaseUnits(debt.principal),
    interest: fromBaseUnits(debt.interest),
    charges: fromBaseUnits(debt.charges),
    payoff: fromBaseUnits(row.closed_at === null ? payoffOf(loan, today) : 0n),
    principalRepaid: fromBaseUnits(row.lent - debt.principal - writtenOff),
    principalWrittenOff: fromBaseUnits(writtenOff),
    openedOn: row.opened_on,
    dueOn: row.due_on,
    installments:
      dues.length > 1
        ? {
            count: dues.length,
            paid: dues.filter((due) => row.closed_at !== null || isPaid(due)).length,
            payment: fromBaseUnits(dues[0]?.amount ?? 0n),
          }
        : null,
    next:
      next === undefined
        ? null
        : { number: next.number, dueOn: next.dueOn, amount: fromBaseUnits(nextPayment(loan, today)) },
    safety: describeSafety(record, row.closed_at === null ? watchPrice(prices, row.collateral_asset) : null),
    lever:
      row.margin === null || row.ratio_tenths === null || row.bought === null || row.buy_price === null
        ? null
        : {
            margin: fromBaseUnits(row.margin),
            ratio: fromBaseUnits(BigInt(row.ratio_tenths), 1),
            bought: fromBaseUnits(row.bought),
            buyPrice: fromBaseUnits(row.buy_price),
          },
    createdAt: row.created_at.toISOString(),
    closedAt: row.closed_at?.toISOString() ?? null,
  }
}

const textOf = (amount: bigint | null) => (amount === null ? null : fromBaseUnits(amount))

export function describeSafety({ row }: LoanRecord, price: UsedPrice | null): LoanItem['safety'] {
  const secured = securedOf(row)
  const lines = termsOf(row)
  const rate = price === null ? null : mortgageRate(secured, price.used)
  return {
    mortgageRate: rate === null ? null : rateText(rate),
    status: price === null || totalOf(debtOf(row)) === 0n ? null : safetyStatus(secured, price.used, lines),
    price: price?.evidence ?? null,
    safetyPrice: textOf(priceAtLine(secured, lines.safety_ppm)),
    liquidationPrice: textOf(priceAtLine(secured, lines.clearing_ppm)),
  }
}
