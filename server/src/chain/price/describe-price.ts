import type { Data } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Price } from './price.ts'

const text = (amount: bigint | null) => (amount === null ? null : fromBaseUnits(amount))

/** A price as endpoints give it: everything that it takes to recompute it from the pair on chain. */
export function describePrice(price: Price): Data<'GET user/priceInfo'>['items'][number] {
  return {
    asset: price.asset,
    average: text(price.average),
    spot: text(price.spot),
    dayAverage: text(price.dayAverage),
    windowSeconds: price.windowSeconds,
    pair: price.pair,
    blockNumber: price.blockNumber === null ? null : Number(price.blockNumber),
    observedAt: price.observedAt?.toISOString() ?? null,
    paused: price.paused,
    pauseReason: price.pauseReason,
  }
}
