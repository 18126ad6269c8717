import type { ModelBlock } from '../model/chain-model.ts'
import { averageBetween } from '../model/pairs.ts'
import { type Simulation, violation } from '../run/simulation.ts'

/** A reorganisation may have changed some blocks of the time that an average is of: a tenth is allowed for. */
const [PART, OF] = [9n, 10n]

const AVERAGE_S = 300
/** A price counts for so long after the time of its block. */
const STALE_AFTER_S = 300

/**
 * Nothing is liquidated by an old price. Loans that reached their line were liquidated at no less than the average of five
 * minutes of their pair, computed again from the blocks of the model. A price that was pushed for one block is far below it.
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
    const averages = blocksAt(simulation, Number(block_number), observed_at).map((block) => {
      const from = blockBefore(block, since.at)
      return averageBetween([from.state.pairOf(asset), seconds(since.at)], [block.state.pairOf(asset), block.timestamp])
    })
    if (averages.every((average) => watch_price * OF < average * PART))
      throw violation(simulation, `${loan_no} was liquidated at ${watch_price}, and the average is ${averages.join()}`)
  }
}

const seconds = (at: Date): number => at.getTime() / 1000

/** The blocks of all branches that a price with this number and time may have been observed at. */
const blocksAt = ({ chain }: Simulation, number: number, at: Date): ModelBlock[] =>
  [...chain.blocks.values()].filter((block) => block.number === number && block.timestamp === seconds(at))

function blockBefore(block: ModelBlock, at: Date): ModelBlock {
  let found = block
  while (found.timestamp > seconds(at) && found.parent !== null) found = found.parent
  return found
}
