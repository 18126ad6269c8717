import { type FundState, worthOf } from '../fund/fund.ts'
import type { AssetCode } from '../money/assets.ts'
import { isDust } from '../money/dust.ts'
import { mulDiv } from '../money/money.ts'
import { WHOLE_UNIT } from '../units.ts'
import { proofAssets, type Sums } from './sum-tree.ts'

type Amounts = Readonly<Record<AssetCode, bigint>>
type Prices = Readonly<Record<'JU' | 'HASH', bigint | null>>

/** Amounts that a member has and owes at one instant, in base units of each asset. */
export type Position = {
  /** On its balance, and set aside for withdrawals. */
  balances: Amounts
  /** Base units of shares of the money fund. */
  shares: bigint
  /** Debt of all its loans. */
  collateral: Readonly<Record<'JU' | 'HASH', bigint>>
  /** USDT that all its loans owe. */
  debt: bigint
  /** Amounts that the contract paid to it in blocks after the attested one, so that a claim will deduct it. */
  paidLater: Amounts
}

/** The open loans of one member together, in base units; the debt in USDT. */
export type OpenDebt = { memberId: bigint; debt: bigint; collateral: { JU: bigint; HASH: bigint } }

/** Amounts that the shares of the fund are parts of, and how many they are, without those that debts take. Base units. */
export type Pool = { amounts: Amounts; shares: bigint }

/** At what a snapshot counts. Prices are USDT base units for a whole unit; null while nobody knows. */
export type Valuation = {
  fund: FundState
  /** Null in snapshots of before: there a share counts at its worth, in USDT. */
  pool: Pool | null
  prices: Prices
}

/** Amounts that a borrower has and owes, in base units. `usdt` is its balance and what it has set aside. */
export type Debtor = { usdt: bigint; shares: bigint; collateral: Position['collateral']; debt: bigint }

/** Amounts that a debt takes, in base units: USDT, fund shares and their worth in USDT, collateral. */
export type Taken = Amounts & { shares: bigint; sharesWorth: bigint }

/**
 * By how much less is owed to a borrower because of its debt: of its USDT first, then of its fund shares at their worth, then of its
 * collateral in JU, then in HASH, at prices, never more than it has. Every rounding, and a price that is not known, is in its favour.
 */
export function takenForDebt(
  { usdt, shares, collateral, debt }: Debtor,
  { fund, prices }: Pick<Valuation, 'fund' | 'prices'>,
): Taken {
  const taken = { JU: 0n, USDT: least(debt, usdt), HASH: 0n, shares: 0n, sharesWorth: 0n }
  let left = debt - taken.USDT
  const worth = left === 0n || shares === 0n ? 0n : worthOf(shares, fund)
  if (worth > 0n) {
    taken.sharesWorth = least(left, worth)
    taken.shares = mulDiv(shares, taken.sharesWorth, worth)
    left -= taken.sharesWorth
  }
  for (const asset of ['JU', 'HASH'] as const) {
    const price = prices[asset]
    if (left === 0n || price === null || price === 0n) continue
    const needed = mulDiv(left, WHOLE_UNIT, price)
    const isEnough = needed <= collateral[asset]
    taken[asset] = isEnough ? needed : collateral[asset]
    left = isEnough ? 0n : left - mulDiv(collateral[asset], price, WHOLE_UNIT)
  }
  return taken
}

/**
 * The fund in kind: its idle USDT, and of what debts take of borrowers' USDT and collateral so much as they owe to the fund. The rest of
 * what they take is the platform's, which therefore bears first what borrowers are short of.
 * @param fund base units of USDT; `idle` is not lent
 */
export function poolInKind(debtors: Iterable<Debtor>, fund: FundState & { idle: bigint }, prices: Prices): Pool {
  const all = { JU: 0n, USDT: 0n, HASH: 0n, shares: 0n, sharesWorth: 0n }
  for (const debtor of debtors) {
    const taken = takenForDebt(debtor, { fund, prices })
    for (const key of ['JU', 'USDT', 'HASH', 'shares', 'sharesWorth'] as const) all[key] += taken[key]
  }
  const shares = fund.shares - all.shares
  const valueOf = (asset: 'JU' | 'HASH') => mulDiv(all[asset], prices[asset] ?? 0n, WHOLE_UNIT)
  const value = all.USDT + valueOf('JU') + valueOf('HASH')
  const lent = fund.assets - fund.idle - all.sharesWorth
  const claims = lent > 0n ? least(lent, value) : 0n
  const part = (amount: bigint) => (value === 0n ? 0n : mulDiv(amount, claims, value))
  // Without shares the fund is nobody's.
  const amounts =
    shares === 0n
      ? { JU: 0n, USDT: 0n, HASH: 0n }
      : { JU: part(all.JU), USDT: fund.idle + part(all.USDT), HASH: part(all.HASH) }
  return { amounts, shares }
}

/** A member's part of the fund in kind, without the shares that its debt takes. Base units. */
export function partOfPool({ shares }: Pick<Position, 'shares'>, taken: Taken, pool: Pool): Amounts {
  const own = shares - taken.shares
  const part = (amount: bigint) => (own === 0n ? 0n : mulDiv(own, amount, pool.shares))
  return { JU: part(pool.amounts.JU), USDT: part(pool.amounts.USDT), HASH: part(pool.amounts.HASH) }
}

/** Parts that a member is owed, in base units of each asset. */
export type OwedPieces = { fund: Amounts; taken: Taken }

/** A member's part of the fund, and what its debt takes. */
export function owedPieces(position: Position, valuation: Valuation): OwedPieces {
  const { balances, shares } = position
  if (valuation.pool !== null) {
    const taken = takenForDebt({ ...position, usdt: balances.USDT }, valuation)
    return { fund: partOfPool(position, taken, valuation.pool), taken }
  }
  const worth = shares === 0n ? 0n : worthOf(shares, valuation.fund)
  const taken = takenForDebt({ ...position, usdt: balances.USDT + worth, shares: 0n }, valuation)
  return { fund: { JU: 0n, USDT: worth, HASH: 0n }, taken }
}

/** Amounts owed to a member: those that it has, with its part of the fund in kind, less its debt. Never below zero. */
export function owedTo(position: Position, valuation: Valuation): Sums {
  const { balances, collateral, paidLater } = position
  const { fund, taken } = owedPieces(position, valuation)
  return [
    balances.USDT + fund.USDT - taken.USDT + paidLater.USDT,
    balances.HASH + collateral.HASH + fund.HASH - taken.HASH + paidLater.HASH,
    balances.JU + collateral.JU + fund.JU - taken.JU + paidLater.JU,
  ]
}

/** Whether a member has a leaf of its own: it is owed at least the step of one asset. What is owed to the others is in the leaf of the platform. */
export const hasOwnLeaf = (owed: Sums): boolean => proofAssets.some((asset, nth) => !isDust(asset, owed[nth] ?? 0n))

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)
