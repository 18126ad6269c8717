import type { Hex } from 'viem'
import { hashOf, type ModelTransaction, TransactionRejected } from '../model/chain-model.ts'
import type { Call } from '../model/calls.ts'
import type { Simulation } from '../run/simulation.ts'

/** The acts of wallets and nodes on the chain. */

export const GWEI = 10n ** 9n

/** Sends a transaction with the next free nonce, or replaces the one at `nonce`. */
export function send(simulation: Simulation, from: Hex | undefined, call: Call, nonce?: number): void {
  if (from === undefined) return
  simulation.transactions += 1
  const transaction: ModelTransaction = {
    hash: hashOf(['wallet', simulation.transactions, from]),
    from,
    nonce: nonce ?? simulation.chain.nextNonce(from),
    gasPrice: 2_000n * GWEI,
    gas: 100_000n,
    call,
  }
  submit(simulation, nonce === undefined ? transaction : { ...transaction, gasPrice: 4_000n * GWEI })
}

/** Adds a transaction to the pool. That a node rejects one is a normal result. */
function submit({ chain, trace }: Simulation, transaction: ModelTransaction): void {
  try {
    chain.submit(transaction)
    trace('sent', transaction.from, transaction.nonce, transaction.call.do)
  } catch (error) {
    if (!(error instanceof TransactionRejected)) throw error
    trace('not sent', error.message)
  }
}

/** Transactions for the next block: of those that offer the current gas price, each with this probability. */
function selectTransactions({ chain, network, random }: Simulation, probability: number): ModelTransaction[] {
  return [...chain.pool.values()].filter(({ gasPrice }) => gasPrice >= network.gasPrice && random.chance(probability))
}

/** Mines a block and sets the clock to its time. */
export function mine(simulation: Simulation, seconds: number, probability: number): void {
  const { chain, clock } = simulation
  const timestamp = chain.head.timestamp + seconds
  const block = chain.mine(timestamp, selectTransactions(simulation, probability))
  clock.set(new Date(Math.max(clock.now().getTime(), timestamp * 1000)))
  simulation.trace('block', block.number, block.hash)
}

/** Replaces some of the newest blocks, but none with a payment that may have been credited. */
export function reorganise(simulation: Simulation): void {
  const { chain, network, random } = simulation
  const lowest = network.finalHeight()
  const replaceable = chain.head.number - lowest
  if (replaceable <= 0) return
  const ancestor = chain.at(chain.head, chain.head.number - 1 - random.below(replaceable))
  if (ancestor === undefined) return
  const old = chain.above(ancestor, chain.head)
  const pending = old.flatMap(({ receipts }) => receipts.map(({ transaction }) => transaction))
  const length = Math.max(1, old.length - 1 + random.below(3))
  const plan = Array.from({ length }, (_none, index) => ({
    timestamp: ancestor.timestamp + 2 + 3 * index,
    wanted: [...pending.filter(() => random.chance(0.5)), ...selectTransactions(simulation, 0.4)],
  }))
  for (const gone of chain.reorganise(ancestor, plan)) if (random.chance(0.8)) submit(simulation, gone)
  simulation.trace('reorganised', ancestor.number, chain.head.number, chain.head.hash)
}

/** Replaces more blocks than payments wait for, by the same transactions. Crediting must halt until an operator resumes it. */
export function reorganiseDeeply(simulation: Simulation): void {
  const { chain, confirmations, random } = simulation
  const depth = confirmations.large + random.below(4)
  const ancestor = chain.at(chain.head, chain.head.number - depth)
  if (ancestor === undefined) return
  simulation.hadDeepReorganisation = true
  simulation.network.branch = null
  const branchPlan = chain.above(ancestor, chain.head).map(({ receipts, timestamp }) => ({
    timestamp,
    wanted: receipts.map(({ transaction }) => transaction),
  }))
  chain.reorganise(ancestor, [...branchPlan, { timestamp: chain.head.timestamp + 1, wanted: [] }])
  simulation.trace('deep reorganisation', ancestor.number, chain.head.hash)
}

/** Builds a branch that only some nodes serve. */
export function buildBranch(simulation: Simulation): void {
  const { chain, confirmations, network, random } = simulation
  const lowest = Math.max(network.finalHeight(), chain.head.number - confirmations.normal + 1)
  const ancestor = chain.at(chain.head, lowest + random.below(chain.head.number - lowest + 1))
  if (ancestor === undefined) return
  const known = chain
    .above(ancestor, chain.head)
    .flatMap(({ receipts }) => receipts.map(({ transaction }) => transaction))
  let tip = ancestor
  for (let length = 1 + random.below(confirmations.normal - 1); length > 0; length--) {
    const wanted = [...known.filter(() => random.chance(0.5)), ...selectTransactions(simulation, 0.5)]
    tip = chain.build(tip, tip.timestamp + 1 + random.below(3), wanted)
  }
  network.branch = tip
  simulation.trace('branch', ancestor.number, tip.hash)
}

/** Removes a transaction from the pool, as nodes do when their pool is full. */
export function dropTransaction({ chain, random, trace }: Simulation): void {
  const waiting = [...chain.pool.keys()]
  if (waiting.length === 0) return
  const hash = random.pick(waiting)
  chain.pool.delete(hash)
  trace('dropped', hash)
}

/** Replaces a transaction that waits by one that does nothing, as wallets do to cancel it. The service's own keys cancel nothing. */
export function cancelTransaction(simulation: Simulation): void {
  const { payer, attester } = simulation.contracts
  const waiting = [...simulation.chain.pool.values()].filter(({ from }) => from !== payer && from !== attester)
  if (waiting.length === 0) return
  const { from, nonce } = simulation.random.pick(waiting)
  send(simulation, from, { do: 'nothing' }, nonce)
}
