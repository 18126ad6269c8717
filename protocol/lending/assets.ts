import type { AssetCode } from '../money/assets.ts'
import { collateralFor, collateralValue, maxDebt } from './lines.ts'

/** Everything that an account has, in USDT. One function, so that every screen shows the same number. Amounts are base units. */

export type Possessions = {
  /** Available and held. */
  balances: Readonly<Record<AssetCode, bigint>>
  /** Fund shares at their price, USDT. */
  fund: bigint
  collateral: Readonly<Record<Exclude<AssetCode, 'USDT'>, bigint>>
  /** The amount that ends all loans today: principal, interest, late charges, and handling fees that have come due. USDT. */
  debt: bigint
}

/** USDT base units per whole unit; null while an asset has no price. */
export type AveragePrices = Readonly<Record<AssetCode, bigint | null>>

/** In USDT; may be below zero. Null when something is had whose price is unknown. */
export function totalAssets({ balances, fund, collateral, debt }: Possessions, prices: AveragePrices): bigint | null {
  const amounts = { JU: balances.JU + collateral.JU, HASH: balances.HASH + collateral.HASH, USDT: balances.USDT }
  let total = fund - debt
  for (const asset of ['JU', 'USDT', 'HASH'] as const) {
    const price = prices[asset]
    if (price === null && amounts[asset] > 0n) return null
    total += collateralValue(amounts[asset], price ?? 0n)
  }
  return total
}

/** A project that lends now. */
export type Offer = { collateralAsset: Exclude<AssetCode, 'USDT'>; initial_ppm: bigint; available: bigint }

/**
 * The amount that an account could borrow more, against what it has available, as if it pledged that: for each asset the best rate of an
 * open project, as far as the projects have money left and the ceiling of the collateral leaves, and all together as far as the fund
 * has idle money.
 */
export function creditLimit(
  available: Readonly<Record<Exclude<AssetCode, 'USDT'>, bigint>>,
  prices: Readonly<Record<Exclude<AssetCode, 'USDT'>, bigint | null>>,
  offers: readonly Offer[],
  fundIdle: bigint,
  ceilingsLeft: Readonly<Record<Exclude<AssetCode, 'USDT'>, bigint>>,
): bigint {
  let limit = 0n
  for (const asset of ['JU', 'HASH'] as const) {
    const price = prices[asset]
    if (price === null) continue
    let pledged = available[asset]
    let ofAsset = 0n
    // The best rate first, so that each unit is pledged where it gives most.
    for (const offer of offers.filter((one) => one.collateralAsset === asset).toSorted(byRate)) {
      const debt = maxDebt(pledged, price, offer.initial_ppm)
      if (debt <= offer.available) {
        ofAsset += debt
        break
      }
      ofAsset += offer.available
      pledged -= collateralFor(offer.available, price, offer.initial_ppm)
    }
    limit += ofAsset < ceilingsLeft[asset] ? ofAsset : ceilingsLeft[asset]
  }
  return limit < fundIdle ? limit : fundIdle
}

const byRate = (one: Offer, other: Offer): number =>
  one.initial_ppm === other.initial_ppm ? 0 : one.initial_ppm > other.initial_ppm ? -1 : 1
