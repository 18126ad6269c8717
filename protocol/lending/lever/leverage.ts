import { exchangeAt } from '../../money/exchange.ts'
import { mulDiv } from '../../money/money.ts'
import { WHOLE_UNIT } from '../../units.ts'
import { dayInterest, interestOf } from '../interest.ts'
import { fallTo, type Lines, mortgageRate, priceAtLine, safetyStatus, type SafetyStatus } from '../lines.ts'

/** A leveraged loan: margin and loan together buy the collateral. Amounts are base units; USDT but for `bought`. */

/** Ratios are tenths: 20 is 2 times. */
export const MIN_RATIO_TENTHS = 20
export const MAX_RATIO_TENTHS = 40
export const leverTerms = [7, 30, 90] as const

export type Risk = 'low' | 'medium' | 'high'

/** 2 times and less is low, more than 3 times is high. */
export const riskOf = (ratio_tenths: number): Risk =>
  ratio_tenths <= 20 ? 'low' : ratio_tenths <= 30 ? 'medium' : 'high'

export type LeverInput = {
  margin: bigint
  ratio_tenths: number
  /** The amount that the desk takes for a whole unit, USDT base units. */
  buyPrice: bigint
  /** Fee of the exchange, in millionths of what is bought. */
  fee_ppm: bigint
  /** The price at which collateral counts for new debt, USDT base units for a whole unit. */
  debtPrice: bigint
  rate_ppm: bigint
  days: number
  lines: Lines
}

export type LeverTerms = {
  loan: bigint
  /** margin + loan, all of it spent on the asset. */
  total: bigint
  /** Locked as collateral. */
  bought: bigint
  /** In the asset. */
  fee: bigint
  interestPerDay: bigint
  interest: bigint
  /** Loan and interest at the end of the term. */
  repayment: bigint
  /** In millionths; null when the collateral is worth nothing. */
  rate: bigint | null
  status: SafetyStatus
  liquidationPrice: bigint
  /** How far the price may fall before, in millionths. */
  fall: bigint
  risk: Risk
}

/**
 * Everything that is said before a leveraged loan is opened. loan = margin × (ratio − 1).
 * @throws RangeError for a margin, a price or a number of days that is not positive, or when nothing would be bought
 */
export function leverTermsOf(input: LeverInput): LeverTerms {
  const { margin, ratio_tenths, buyPrice, fee_ppm, debtPrice, rate_ppm, days, lines } = input
  if (margin <= 0n || days < 1) throw new RangeError('a leveraged loan needs a margin and a term')
  const loan = mulDiv(margin, BigInt(ratio_tenths - 10), 10n)
  const total = margin + loan
  const { received, fee } = exchangeAt({ amountIn: total, fromPrice: WHOLE_UNIT, toPrice: buyPrice, feePpm: fee_ppm })
  if (received === 0n) throw new RangeError('nothing would be bought')
  const interest = interestOf(loan, rate_ppm, days)
  const interestPerDay = dayInterest(loan, rate_ppm)
  // The first day is owed from the start.
  const secured = { debt: loan + interestPerDay, collateral: received }
  const liquidationPrice = priceAtLine(secured, lines.clearing_ppm) ?? 0n
  return {
    loan,
    total,
    bought: received,
    fee,
    interestPerDay,
    interest,
    repayment: loan + interest,
    rate: mortgageRate(secured, debtPrice),
    status: safetyStatus(secured, debtPrice, lines),
    liquidationPrice,
    fall: fallTo(debtPrice, liquidationPrice),
    risk: riskOf(ratio_tenths),
  }
}
