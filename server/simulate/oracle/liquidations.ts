import type { CollateralAsset } from '@candela/protocol/lending/choices'
import type { ModelBlock } from '../model/chain-model.ts'
import { averageBetween, priceIn } from '../model/pairs.ts'
import { type Simulation, violation } from '../run/simulation.ts'

/** A reorganisation may have changed some blocks of the time that an average is of: a tenth is allowed for. */
const [PART, OF] = [9n, 10n]

const AVERAGE_S = 300
/** A price counts for so long after the time of its block. */
const STALE_AFTER_S = 300

/**
 * Nothing is liquidated by an old price. Loans that reached their line were liquidated at no less than the average or the median of five
 * minutes of their pair, computed again from the blocks of the model: the median where the price had fallen for half of that time, the
 * average where the service has observed few of the blocks. A price that was pushed for one block is far below both.
 */
export async function checkLiquidations(simulation: Simulation): Promise<void> {
  const { db, lending } = simulation
  const rows = await db
    .selectFrom('loan_liquidation as q')
    .innerJoin('loan as l', 'l.id', 'q.loan_id')
    .select([
      'q.id',
      'l.loan_no',
      'l.collateral_asset',
      'q.watch_price',
      'q.block_number',
      'q.observed_at',
      'q.reason',
      'q.at',
    ])
    .where('q.id', '>', lending.lastLiquidation)
    .orderBy('q.id')
    .execute()
  for (const { id, loan_no, collateral_asset: asset, watch_price, block_number, observed_at, reason, at } of rows) {
    lending.lastLiquidation = id
    if (Math.abs(seconds(at) - seconds(observed_at)) > STALE_AFTER_S)
      throw violation(
        simulation,
        `${loan_no} was liquidated at ${at.toISOString()} by a price of ${observed_at.toISOString()}`,
      )
    if (reason !== 'line') continue
    const observations = await db
      .selectFrom('price_observation')
      .select('at')
      .where('asset', '=', asset)
      .where('at', '<=', new Date(observed_at.getTime() - AVERAGE_S * 1000))
      .orderBy('at', 'desc')
      .limit(1)
      .execute()
    const [since] = observations
    if (since === undefined) continue
    const bounds = blocksAt(simulation, Number(block_number), observed_at).map((block) => {
      const from = blockBefore(block, since.at)
      const whole = [
        [from.state.pairOf(asset), seconds(since.at)],
        [block.state.pairOf(asset), block.timestamp],
      ] as const
      const [average, median] = [averageBetween(...whole), medianUntil(block, asset)]
      return average < median ? average : median
    })
    if (bounds.every((bound) => watch_price * OF < bound * PART))
      throw violation(
        simulation,
        `${loan_no} was liquidated at ${watch_price}, and no less is right than ${bounds.join()}`,
      )
  }
}

const seconds = (at: Date): number => at.getTime() / 1000

/** The blocks of all branches that a price with this number and time may have been observed at. */
const blocksAt = ({ chain }: Simulation, number: number, at: Date): ModelBlock[] =>
  [...chain.blocks.values()].filter((block) => block.number === number && block.timestamp === seconds(at))

/** The price that was not passed for half of the five minutes before a block. */
function medianUntil(block: ModelBlock, asset: CollateralAsset): bigint {
  const begin = block.timestamp - AVERAGE_S
  const prices: { price: bigint; lasted: number }[] = []
  let [later, earlier] = [block, block.parent]
  while (earlier !== null && later.timestamp > begin) {
    const lasted = later.timestamp - Math.max(earlier.timestamp, begin)
    prices.push({ price: priceIn(earlier.state.pairOf(asset)), lasted })
    ;[later, earlier] = [earlier, earlier.parent]
  }
  let left = AVERAGE_S / 2
  for (const { price, lasted } of prices.toSorted((one, other) => (one.price < other.price ? -1 : 1))) {
    left -= lasted
    if (left <= 0) return price
  }
  return priceIn(block.state.pairOf(asset))
}

function blockBefore(block: ModelBlock, at: Date): ModelBlock {
  let found = block
  while (found.timestamp > seconds(at) && found.parent !== null) found = found.parent
  return found
}
