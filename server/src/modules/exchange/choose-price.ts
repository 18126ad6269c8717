import type { Data } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Price } from '../../chain/price/price.ts'
import { higherPrice, lowerPrice } from '../../chain/price/use-price.ts'
import { must } from '../../kernel/assert.ts'

/** A price as the desk uses it. `used` in USDT base units per whole unit. */
export type DeskPrice = { used: bigint; evidence: Data<'POST exchange/quote'>['prices']['from'] }

/**
 * The price at which the desk takes or gives an asset: of average and spot, the one that is worse for the member. Who
 * pushes the spot price only makes it worse for himself; and when the market has moved, nobody gets the older average.
 * @throws AppError 5031 while the price is paused or unknown
 */
export function choosePrice(price: Price, desk: 'takes' | 'gives'): DeskPrice {
  const { asset, average } = price
  const used = desk === 'takes' ? lowerPrice(price) : higherPrice(price)
  return {
    used,
    evidence: {
      asset,
      used: fromBaseUnits(used),
      side: asset === 'USDT' ? 'unit' : used === average ? 'average' : 'spot',
      average: fromBaseUnits(must(average, 'a price that is used has an average')),
      spot: fromBaseUnits(must(price.spot, 'a price that is used has a spot price')),
      windowSeconds: price.windowSeconds,
      pair: price.pair,
      blockNumber: price.blockNumber === null ? null : Number(price.blockNumber),
      observedAt: price.observedAt?.toISOString() ?? null,
    },
  }
}
