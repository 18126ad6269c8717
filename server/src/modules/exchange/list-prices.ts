import type { CollateralAsset, PriceDays } from '@candela/protocol/lending/choices'
import { assetCodes } from '@candela/protocol/money/assets'
import type { Data } from '@candela/protocol/endpoints'
import { describePrice, readPrices } from '../../chain/price/price.ts'
import { readPriceHistory } from '../../chain/price/price-history.ts'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Database } from '../../db/open.ts'

/** Every price with what it takes to recompute it from the pair on chain. */
export async function listPrices(db: Database, now: Date): Promise<Data<'GET user/priceInfo'>> {
  const prices = await readPrices(db, now)
  return { items: assetCodes.map((asset) => describePrice(prices[asset])) }
}

/** Lists the prices of an asset over the last days. */
export async function listPriceHistory(
  db: Database,
  asset: CollateralAsset,
  days: PriceDays,
  now: Date,
): Promise<Data<'GET user/priceHistory'>> {
  const points = await readPriceHistory(db, asset, days, now)
  return {
    items: points.map(({ at, block_number, price, lowest, highest }) => ({
      at: at.toISOString(),
      blockNumber: Number(block_number),
      price: fromBaseUnits(price),
      lowest: fromBaseUnits(lowest),
      highest: fromBaseUnits(highest),
    })),
  }
}
