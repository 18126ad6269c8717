import { WHOLE_UNIT } from '@candela/protocol/units'
import { type Database, transaction } from '../../db/open.ts'
import type { PricedAsset } from './facts.ts'
import { type Change, keepObservation } from './observe-prices.ts'
import { type Price, readPrices } from './price.ts'

const Q112 = 2n ** 112n
const PAIR = `0x${'aa'.repeat(20)}`

/** A pair that is observed as often as the test says, at prices that the test says; time is that of its blocks. */
export function observedPair(
  db: Database,
  options: { asset?: PricedAsset; pair?: string; start?: string | Date; startBlock?: bigint } = {},
) {
  const { asset = 'JU', pair = PAIR, start = '2026-03-01T00:00:00Z', startBlock = 1n } = options
  let assetReserve = 1_000_000n * WHOLE_UNIT
  let [price, cumulative, blockNumber] = [WHOLE_UNIT, 0n, startBlock]
  let at = new Date(start)
  const changes: string[] = []

  const observe = async (): Promise<Change | null> => {
    blockNumber += 1n
    const usdtReserve = (assetReserve * price) / WHOLE_UNIT
    const observation = { asset, pair, blockNumber, at, assetReserve, usdtReserve, cumulative }
    const change = await transaction(db, (tx) => keepObservation(tx, observation))
    if (change !== null) changes.push(change.is)
    return change
  }

  return {
    observe,
    /** The changes of the price's halt, in order. */
    changes,
    now: () => at,
    /** The price in thousandths of a USDT from here on; from the pair's last block on, that is. */
    trade(thousandths: number): void {
      price = (BigInt(Math.round(thousandths * 1_000)) * WHOLE_UNIT) / 1_000_000n
    },
    /** Whole units of the asset in the pair from here on, with as much USDT as the price says. */
    hold(units: bigint): void {
      assetReserve = units * WHOLE_UNIT
    },
    /** Lets time pass at the price that is, and looks at the pair then. */
    async observeAfter(seconds: number): Promise<Price> {
      const usdtReserve = (assetReserve * price) / WHOLE_UNIT
      cumulative += ((usdtReserve * Q112) / assetReserve) * BigInt(seconds)
      at = new Date(at.getTime() + seconds * 1_000)
      await observe()
      return (await readPrices(db, at))[asset]
    },
    /** Sets the pair's time alone: what a node says that fell behind. */
    fallBack(seconds: number): void {
      at = new Date(at.getTime() - seconds * 1_000)
    },
  }
}
