import { assetCodes } from '@candela/protocol/money/assets'
import { describePrice } from '../../chain/describe-price.ts'
import { readPrices } from '../../chain/price.ts'
import type { Database } from '../../db/open.ts'
import type { Handlers } from '../../kernel/handler.ts'

export type PriceDeps = { db: Database }

/** `user/priceInfo`: every price with what it takes to recompute it from the pair on chain. */
export function priceHandlers({ db }: PriceDeps): Handlers<'GET user/priceInfo'> {
  return {
    'GET user/priceInfo': async (_input, { now }) => {
      const prices = await readPrices(db, now)
      return { items: assetCodes.map((asset) => describePrice(prices[asset])) }
    },
  }
}
