import type { LoanItem } from '@candela/protocol/endpoints/lending'
import type { CollateralAsset } from '@candela/protocol/lending/choices'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Price, Prices } from '../../../chain/price/price.ts'
import { lendingPrice, marginPrice, salePrice as paidPrice } from '../../../chain/price/use-price.ts'
import { must } from '../../../kernel/assert.ts'

type PriceData = NonNullable<LoanItem['safety']['price']>

/** A price as it is used, USDT base units per whole unit, with what it was chosen from. */
export type UsedPrice = { used: bigint; evidence: PriceData }

/** The price at which collateral counts for new debt. @throws AppError 5031 while the price is paused */
export function debtPrice(prices: Prices, asset: CollateralAsset): UsedPrice {
  const price = prices[asset]
  const { average, dayAverage, weekAverage } = price
  return withEvidence(asset, price, lendingPrice(price), { average, dayAverage, weekAverage })
}

/** The price that decides about a line; null while the price is stale or unknown. */
export function watchPrice(prices: Prices, asset: CollateralAsset): UsedPrice | null {
  const price = prices[asset]
  if (isUnknown(price)) return null
  return withEvidence(asset, price, marginPrice(price), { average: price.median5, dayAverage: null, weekAverage: null })
}

/** The price that the desk pays for collateral that has to be sold; null while the price is stale or unknown. */
export function salePrice(prices: Prices, asset: CollateralAsset): bigint | null {
  const price = prices[asset]
  return isUnknown(price) ? null : paidPrice(price)
}

/** Only these make a price unknown. Paused for another reason, it still decides about lines. */
const isUnknown = ({ pauseReason, median5 }: Price): boolean =>
  pauseReason === 'stale' || pauseReason === 'noObservation' || median5 === null

type Averages = Pick<Price, 'average' | 'dayAverage' | 'weekAverage'>

function withEvidence(
  asset: CollateralAsset,
  price: Price,
  used: bigint,
  { average, dayAverage, weekAverage }: Averages,
): UsedPrice {
  const { spot, pair, blockNumber, observedAt } = price
  return {
    used,
    evidence: {
      asset,
      used: fromBaseUnits(used),
      spot: fromBaseUnits(must(spot ?? undefined, 'a price in use has a spot price')),
      average: fromBaseUnits(must(average ?? undefined, 'a price in use has an average')),
      dayAverage: dayAverage === null ? null : fromBaseUnits(dayAverage),
      weekAverage: weekAverage === null ? null : fromBaseUnits(weekAverage),
      pair: must(pair ?? undefined, 'a price in use is of a pair'),
      blockNumber: Number(blockNumber),
      observedAt: must(observedAt?.toISOString(), 'a price in use was observed'),
    },
  }
}
