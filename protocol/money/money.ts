import { ASSET_DECIMALS, WHOLE_UNIT } from '../units.ts'

/** Why a text is not an amount. The texts for people are in the screens and in `input-problems.ts`. */
export type AmountProblem = 'empty' | 'notANumber' | 'tooManyDecimals' | 'tooLarge'

export type ParsedAmount = { ok: true; amount: bigint } | { ok: false; problem: AmountProblem }

/** The largest value of `uint256`, which `numeric(78,0)` can hold. */
export const MAX_AMOUNT = 2n ** 256n - 1n

/**
 * The largest amount that a person can ask for: 10^15 whole units, a million times a supply of a billion. Nobody owns as
 * much of any asset, and products of two such amounts still fit every column.
 */
export const MAX_INPUT_AMOUNT = 10n ** 15n * WHOLE_UNIT

const WHOLE = /^(0|[1-9][0-9]{0,77})$/
const DECIMAL = /^(0|[1-9][0-9]{0,77})(?:\.([0-9]+))?$/

/**
 * Reads a decimal text in whole units, such as "12.5", into base units.
 * Exact or refused: no rounding, no sign, no exponent, no grouping, ASCII digits only.
 */
export function parseAmount(text: string, decimals: number = ASSET_DECIMALS, max: bigint = MAX_AMOUNT): ParsedAmount {
  if (text === '') return { ok: false, problem: 'empty' }
  const match = DECIMAL.exec(text)
  if (!match) return { ok: false, problem: 'notANumber' }
  const [, whole = '0', fraction = ''] = match
  if (fraction.length > decimals) return { ok: false, problem: 'tooManyDecimals' }
  const amount = BigInt(whole) * 10n ** BigInt(decimals) + BigInt(fraction.padEnd(decimals, '0') || '0')
  if (amount > max) return { ok: false, problem: 'tooLarge' }
  return { ok: true, amount }
}

/** As `parseAmount`, with a sign, for texts that our own code or database wrote. Throws a `RangeError` that names the text. */
export function toBaseUnits(text: string, decimals: number = ASSET_DECIMALS): bigint {
  const negative = text.startsWith('-')
  const parsed = parseAmount(negative ? text.slice(1) : text, decimals)
  if (!parsed.ok) throw new RangeError(`Not an amount with ${decimals} decimals: "${text}" (${parsed.problem})`)
  return negative ? -parsed.amount : parsed.amount
}

/** Base units to the shortest exact decimal text in whole units: 12500000000000000000n is "12.5". */
export function fromBaseUnits(amount: bigint, decimals: number = ASSET_DECIMALS): string {
  const sign = amount < 0n ? '-' : ''
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`
}

/** True for the text of a whole number without sign or leading zeros. */
export const isWholeNumber = (text: string): boolean => WHOLE.test(text)

/** floor(a × b ÷ c) for non-negative integers. Throws a `RangeError` when the divisor is zero or a factor is negative. */
export function mulDiv(a: bigint, b: bigint, c: bigint): bigint {
  if (a < 0n || b < 0n || c <= 0n) throw new RangeError('mulDiv takes non-negative factors and a positive divisor')
  return (a * b) / c
}

/** ceil(a × b ÷ c), for what somebody owes, so that rounding never costs the ledger. Throws as `mulDiv` does. */
export function mulDivUp(a: bigint, b: bigint, c: bigint): bigint {
  if (a < 0n || b < 0n || c <= 0n) throw new RangeError('mulDivUp takes non-negative factors and a positive divisor')
  return (a * b + c - 1n) / c
}
