import type { LoanTerms } from '@candela/protocol/lending/loan'
import type { ProjectItem } from '@candela/protocol/endpoints/project'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { RATE_DECIMALS, WHOLE_UNIT } from '@candela/protocol/units'
import type { Settings } from './settings.ts'

/** The settings of loans in the units of the computations: base units, millionths and days. */

const MICRO = 10n ** 12n

/** The terms of every new loan, besides its own rate and lines. */
export type LoanCharges = Omit<LoanTerms, 'rate_ppm' | 'initial_ppm' | 'safety_ppm' | 'clearing_ppm'>

export const chargesOf = (settings: Settings): LoanCharges => ({
  reserve_ppm: BigInt(settings.reservePpm),
  late_ppm: BigInt(settings.lateDayPpm),
  graceDays: settings.graceDays,
  defaultDays: settings.defaultDays,
  liquidationFee_ppm: BigInt(settings.liquidationFeePpm),
  fullBelow: BigInt(settings.fullBelowUsdt) * WHOLE_UNIT,
  installmentFee: BigInt(settings.installmentFeeMicroUsdt) * MICRO,
})

/** The least that is lent, USDT base units. */
export const minLoanOf = (settings: Settings): bigint => BigInt(settings.loanMinMicroUsdt) * MICRO

/** The least margin of a leveraged loan, USDT base units. */
export const minMarginOf = (settings: Settings): bigint => BigInt(settings.leverMinMicroUsdt) * MICRO

export const rateText = (ppm: bigint | number): string => fromBaseUnits(BigInt(ppm), RATE_DECIMALS)

export const describeCharges = (charges: LoanCharges): ProjectItem['charges'] => ({
  lateRate: rateText(charges.late_ppm),
  graceDays: charges.graceDays,
  defaultDays: charges.defaultDays,
  liquidationFee: rateText(charges.liquidationFee_ppm),
  fullBelow: fromBaseUnits(charges.fullBelow),
  installmentFee: fromBaseUnits(charges.installmentFee),
})
