import { collateralAssets } from '@candela/protocol/lending/choices'
import { resumePrice } from '@candela/server/chain/price/resume-price'
import { transaction } from '@candela/server/db/open'
import { priceOf, type Work } from '../run/server-process.ts'
import type { Simulation } from '../run/simulation.ts'
import { mine, send } from './chain-actions.ts'
import { idleProcesses, leaders, runWork } from './process-actions.ts'

/** The changes of prices, and the ends of days. */

async function work(simulation: Simulation, ...kinds: readonly Work[]): Promise<void> {
  for (const kind of kinds) await runWork(simulation, idleProcesses(simulation)[0], kind)
}

/** A price moves and stays there: mostly a little, sometimes to about half, and back up when it has fallen far. */
export async function movePrice(simulation: Simulation): Promise<void> {
  const { random, chain, trader } = simulation
  const asset = random.pick(collateralAssets)
  const price = chain.head.state.priceOf(asset)
  const isLow = price * 2n < priceOf(asset)
  const percent = isLow ? 150 : random.chance(0.5) ? 40 + random.below(30) : 96 + random.below(9)
  send(simulation, trader, { do: 'trade', asset, price: (price * BigInt(percent)) / 100n })
  mine(simulation, 5, 1)
  await work(simulation, 'observePrices', 'watchLoans')
  // Until the average of five minutes has followed.
  if (random.chance(0.3)) return
  mine(simulation, 290 + random.below(60), 0.8)
  await work(simulation, 'observePrices', 'watchLoans')
}

/** Somebody moves a price far away for one block and back in the next, while the loans are looked at. */
export async function pushPrice(simulation: Simulation): Promise<void> {
  const { random, chain, trader } = simulation
  const asset = random.pick(collateralAssets)
  const price = chain.head.state.priceOf(asset)
  send(simulation, trader, { do: 'trade', asset, price: (price * BigInt(random.pick([20, 40, 300]))) / 100n })
  mine(simulation, 3, 1)
  await work(simulation, 'observePrices', 'watchLoans')
  send(simulation, trader, { do: 'trade', asset, price })
  mine(simulation, 3, 1)
  if (random.chance(0.5)) await work(simulation, 'observePrices', 'watchLoans')
}

/** The day ends, and the time has come to close it. */
export async function endDay(simulation: Simulation): Promise<void> {
  const { random, chain, confirmations } = simulation
  const { timestamp } = chain.head
  mine(simulation, 86_400 - (timestamp % 86_400) + 30, 0.8)
  mine(simulation, 600 + random.below(900), 0.8)
  for (let blocks = confirmations.large; blocks > 0; blocks--) mine(simulation, 2, 0.8)
  await work(simulation, 'observePrices')
}

/**
 * The day ends, and is closed; mostly a process is killed while it closes, and the other one or its successor goes on, or Postgres is
 * killed, and the same process goes on.
 */
export async function closeDay(simulation: Simulation): Promise<void> {
  const { random } = simulation
  await endDay(simulation)
  const [process] = leaders(simulation)
  const killed = random.pick(['process', 'process', 'postgres', 'nothing'] as const)
  if (killed === 'process') process?.crashPoint.crashAfter(random.below(30))
  if (killed === 'postgres') process?.crashPoint.endConnectionsAfter(1 + random.below(40), simulation.endConnections)
  // Each once more: the first may have been interrupted.
  await work(simulation, 'closeLending', 'closeIncome', 'watchLoans')
  process?.crashPoint.keepConnections()
  await work(simulation, 'closeLending', 'watchLoans')
}

/** An operator confirms the prices of halted assets. */
export async function resumePrices({ db, clock, chain, trace }: Simulation): Promise<void> {
  for (const asset of collateralAssets) {
    const price = chain.head.state.priceOf(asset)
    const { result } = await transaction(db, (tx) => resumePrice(tx, asset, price, clock.now()))
    trace('resume', asset, result)
  }
}
