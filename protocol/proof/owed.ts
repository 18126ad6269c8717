import { worthOf } from '../fund/fund.ts'
import type { AssetCode } from '../money/assets.ts'
import { isDust } from '../money/dust.ts'
import { mulDiv } from '../money/money.ts'
import { WHOLE_UNIT } from '../units.ts'
import { proofAssets, type Sums } from './sum-tree.ts'

/** What a member has and owes at one instant, in base units of each asset. */
export type Position = {
  /** On its balance, and set aside for withdrawals. */
  balances: Readonly<Record<AssetCode, bigint>>
  /** Base units of shares of the money fund. */
  shares: bigint
  /** Of all its loans. */
  collateral: Readonly<Record<'JU' | 'HASH', bigint>>
  /** USDT that all its loans owe. */
  debt: bigint
  /** What the contract paid to it in blocks after the attested one, so that a claim will deduct it. */
  paidLater: Readonly<Record<AssetCode, bigint>>
}

/** The open loans of one member together, in base units; the debt in USDT. */
export type OpenDebt = { memberId: bigint; debt: bigint; collateral: { JU: bigint; HASH: bigint } }

/** At what a snapshot counts. Prices are USDT base units for a whole unit; null while nobody knows. */
export type Valuation = {
  fund: { assets: bigint; shares: bigint }
  prices: Readonly<Record<'JU' | 'HASH', bigint | null>>
}

/** What a borrower has and owes, in base units. `usdt` is its balance, what it has set aside, and its fund shares' worth. */
export type Debtor = { usdt: bigint; collateral: Position['collateral']; debt: bigint }

/**
 * By how much less is owed to a borrower because of its debt: of its USDT first, then of its collateral in JU, then in HASH, at
 * prices, never more than it has. Every rounding, and a price that is not known, is in the member's favour.
 */
export function takenForDebt(
  { usdt, collateral, debt }: Debtor,
  prices: Valuation['prices'],
): Record<AssetCode, bigint> {
  const taken = { JU: 0n, USDT: debt < usdt ? debt : usdt, HASH: 0n }
  let left = debt - taken.USDT
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

/** What is owed to a member: what it has, fund shares at what they are worth as USDT, less its debt. Never below zero. */
export function owedTo({ balances, shares, collateral, debt, paidLater }: Position, { fund, prices }: Valuation): Sums {
  const usdt = balances.USDT + (shares === 0n ? 0n : worthOf(shares, fund))
  const taken = takenForDebt({ usdt, collateral, debt }, prices)
  return [
    usdt - taken.USDT + paidLater.USDT,
    balances.HASH + collateral.HASH - taken.HASH + paidLater.HASH,
    balances.JU + collateral.JU - taken.JU + paidLater.JU,
  ]
}

/** Whether a member has a leaf of its own: it is owed at least the step of one asset. What is owed to the others is in the leaf of the platform. */
export const hasOwnLeaf = (owed: Sums): boolean => proofAssets.some((asset, nth) => !isDust(asset, owed[nth] ?? 0n))
