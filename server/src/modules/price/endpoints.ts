import { assetCodes } from '@candela/protocol/assets'
import { fromBaseUnits } from '@candela/protocol/money'
import { type Price, readPrices } from '../../chain/price.ts'
import type { Database } from '../../db/open.ts'
import type { Handlers } from '../../kernel/handler.ts'

export type PriceDeps = { db: Database }

/** `user/priceInfo`: every price with what it takes to recompute it from the pair on chain. */
export function priceHandlers({ db }: PriceDeps): Handlers<'GET user/priceInfo'> {
  return {
    'GET user/priceInfo': async (_input, { now }) => {
      const prices = await readPrices(db, now)
      return { items: assetCodes.map((asset) => priceData(prices[asset])) }
    },
  }
}

function priceData(price: Price) {
  const text = (amount: bigint | null) => (amount === null ? null : fromBaseUnits(amount))
  return {
    asset: price.asset,
    average: text(price.average),
    spot: text(price.spot),
    windowSeconds: price.windowSeconds,
    pair: price.pair,
    blockNumber: price.blockNumber === null ? null : Number(price.blockNumber),
    observedAt: price.observedAt?.toISOString() ?? null,
    paused: price.paused,
    pauseReason: price.pauseReason,
  }
}
