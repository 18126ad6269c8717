import type { AssetCode } from '@candela/protocol/money/assets'
import { mulDiv, mulDivUp } from '@candela/protocol/money/money'
import { WHOLE_UNIT } from '@candela/protocol/units'
import type { Settings } from '../../db/settings.ts'

const MICRO = 10n ** 12n

/** The fee and the least amount of a withdrawal of an asset, in base units of it. */
export type Tariff = { fee: bigint; minimum: bigint }

const settingNames = { JU: 'Ju', USDT: 'Usdt', HASH: 'Hash' } as const

export function tariffOf(settings: Settings, asset: AssetCode): Tariff {
  const name = settingNames[asset]
  const fee = BigInt(settings[`withdrawFeeMicro${name}`]) * MICRO
  const minimum = BigInt(settings[`withdrawMinMicro${name}`]) * MICRO
  // By any setting, something must be left to be received.
  return { fee, minimum: minimum > fee ? minimum : fee + 1n }
}

/** The amount that one member has asked for in a period and the most in all, in USDT base units. */
export type Allowance = { used: bigint; limit: bigint }

export const leftOf = ({ used, limit }: Allowance): bigint => (limit > used ? limit - used : 0n)

export const limitsOf = (settings: Settings) => ({
  day: BigInt(settings.withdrawDayUsdt) * WHOLE_UNIT,
  month: BigInt(settings.withdrawMonthUsdt) * WHOLE_UNIT,
  review: BigInt(settings.withdrawReviewUsdt) * WHOLE_UNIT,
  two: BigInt(settings.withdrawTwoUsdt) * WHOLE_UNIT,
})

/** Worth in USDT base units, rounded up: a limit is never passed by rounding. */
export const worthAt = (amount: bigint, price: bigint): bigint => mulDivUp(amount, price, WHOLE_UNIT)

/** Worth in USDT base units of an amount that may be negative, rounded towards zero. */
export const amountWorth = (amount: bigint, price: bigint): bigint => (amount * price) / WHOLE_UNIT

/** How much of an asset a worth in USDT is, rounded down. */
export const amountAt = (worth: bigint, price: bigint): bigint => mulDiv(worth, WHOLE_UNIT, price)

/** The amount that a member has asked for in the last 24 hours and so few operators have looked at, in USDT base units. */
export type Unseen = { byNobody: bigint; byLessThanTwo: bigint }

/**
 * How many operators have to approve it: what nobody looks at counts together, so that many small ones pass no limit that a large one does
 * not. `isReviewed` when a person has to look at it, whatever it is worth.
 */
export function approvalsFor(
  worth: bigint,
  { isReviewed, unseen }: { isReviewed: boolean; unseen: Unseen },
  limits: { review: bigint; two: bigint },
): 0 | 1 | 2 {
  if (unseen.byLessThanTwo + worth > limits.two) return 2
  return unseen.byNobody + worth > limits.review || isReviewed ? 1 : 0
}

/** First instants of the UTC day and of the calendar month of a time. */
export function periodsOf(now: Date): { day: Date; month: Date } {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  return { day: new Date(Date.UTC(year, month, now.getUTCDate())), month: new Date(Date.UTC(year, month, 1)) }
}

/** When the day and the month of a time end. */
export function periodEndsOf(now: Date): { day: Date; month: Date } {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  return { day: new Date(Date.UTC(year, month, day + 1)), month: new Date(Date.UTC(year, month + 1, 1)) }
}
