import { hashOf, type ModelTransaction, Refused } from '../model/chain-model.ts'
import type { Hex } from 'viem'
import type { Call } from '../model/contract-model.ts'
import type { World } from '../run/simulation.ts'

/** What people's wallets and the chain's nodes do, each by its own choices. */

export const GWEI = 10n ** 9n

/** Signs with the first nonce that is free, and hands it to the nodes. */
export function send(world: World, from: Hex | undefined, call: Call, nonce?: number): void {
  if (from === undefined) return
  world.transactions += 1
  const transaction: ModelTransaction = {
    hash: hashOf(['wallet', world.transactions, from]),
    from,
    nonce: nonce ?? world.chain.nextNonce(from),
    gasPrice: 2_000n * GWEI,
    gas: 100_000n,
    call,
  }
  submit(world, nonce === undefined ? transaction : { ...transaction, gasPrice: 4_000n * GWEI })
}

/** Into the pool; a refusal is what happens to transactions. */
function submit({ chain, trace }: World, transaction: ModelTransaction): void {
  try {
    chain.submit(transaction)
    trace('sent', transaction.from, transaction.nonce, transaction.call.do)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    trace('not sent', error.message)
  }
}

/** What the next block takes: what offers enough, or chance leaves out. */
function chosen({ chain, network, pick }: World, share: number): ModelTransaction[] {
  return [...chain.pool.values()].filter(({ gasPrice }) => gasPrice >= network.gasPrice && pick.chance(share))
}

export function mine(world: World, seconds: number, share: number): void {
  const { chain, clock } = world
  const timestamp = chain.head.timestamp + seconds
  const block = chain.mine(timestamp, chosen(world, share))
  clock.set(new Date(Math.max(clock.now().getTime(), timestamp * 1000)))
  world.trace('block', block.number, block.hash)
}

/** Replaces some of the newest blocks, none that a payment may have been credited for. */
export function reorganise(world: World): void {
  const { chain, network, pick } = world
  const lowest = network.floor()
  const room = chain.head.number - lowest
  if (room <= 0) return
  const ancestor = chain.at(chain.head, chain.head.number - 1 - pick.below(room))
  if (ancestor === undefined) return
  const old = chain.above(ancestor, chain.head)
  const pending = old.flatMap(({ receipts }) => receipts.map(({ transaction }) => transaction))
  const length = Math.max(1, old.length - 1 + pick.below(3))
  const plan = Array.from({ length }, (_none, index) => ({
    timestamp: ancestor.timestamp + 2 + 3 * index,
    wanted: [...pending.filter(() => pick.chance(0.5)), ...chosen(world, 0.4)],
  }))
  for (const gone of chain.reorganise(ancestor, plan)) if (pick.chance(0.8)) submit(world, gone)
  world.trace('reorganised', ancestor.number, chain.head.number, chain.head.hash)
}

/** Deeper than what payments wait for: everything comes back in its order, and an operator has to look. */
export function deep(world: World): void {
  const { chain, confirmations, pick } = world
  const depth = confirmations.large + pick.below(4)
  const ancestor = chain.at(chain.head, chain.head.number - depth)
  if (ancestor === undefined) return
  world.wentDeep = true
  world.network.branch = null
  const branchPlan = chain.above(ancestor, chain.head).map(({ receipts, timestamp }) => ({
    timestamp,
    wanted: receipts.map(({ transaction }) => transaction),
  }))
  chain.reorganise(ancestor, [...branchPlan, { timestamp: chain.head.timestamp + 1, wanted: [] }])
  world.trace('deep', ancestor.number, chain.head.hash)
}

/** Some node mines on by itself for a while. */
export function branch(world: World): void {
  const { chain, confirmations, network, pick } = world
  const lowest = Math.max(network.floor(), chain.head.number - confirmations.normal + 1)
  const ancestor = chain.at(chain.head, lowest + pick.below(chain.head.number - lowest + 1))
  if (ancestor === undefined) return
  const known = chain
    .above(ancestor, chain.head)
    .flatMap(({ receipts }) => receipts.map(({ transaction }) => transaction))
  let tip = ancestor
  for (let length = 1 + pick.below(confirmations.normal - 1); length > 0; length--) {
    const wanted = [...known.filter(() => pick.chance(0.5)), ...chosen(world, 0.5)]
    tip = chain.build(tip, tip.timestamp + 1 + pick.below(3), wanted)
  }
  network.branch = tip
  world.trace('branch', ancestor.number, tip.hash)
}

/** Nodes forget a transaction. */
export function drop({ chain, pick, trace }: World): void {
  const waiting = [...chain.pool.keys()]
  if (waiting.length === 0) return
  const hash = pick.one(waiting)
  chain.pool.delete(hash)
  trace('dropped', hash)
}

/** Somebody replaces a transaction in the wallet by one that does nothing. */
export function cancel(world: World): void {
  const waiting = [...world.chain.pool.values()].filter(({ from }) => from !== world.contracts.payer)
  if (waiting.length === 0) return
  const { from, nonce } = world.pick.one(waiting)
  send(world, from, { do: 'nothing' }, nonce)
}
