import { assetCodes } from '@candela/protocol/money/assets'
import type { Data } from '@candela/protocol/endpoints'
import { describePrice } from '../../chain/price/describe-price.ts'
import { readPrices } from '../../chain/price/price.ts'
import type { Database } from '../../db/open.ts'

/** Every price with what it takes to recompute it from the pair on chain. */
export async function listPrices(db: Database, now: Date): Promise<Data<'GET user/priceInfo'>> {
  const prices = await readPrices(db, now)
  return { items: assetCodes.map((asset) => describePrice(prices[asset])) }
}
