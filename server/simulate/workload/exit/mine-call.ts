import type { Hex } from 'viem'
import type { Call } from '../../model/calls.ts'
import { hashOf, type ModelReceipt } from '../../model/chain-model.ts'
import type { Simulation } from '../../run/simulation.ts'
import { GWEI } from '../chain-actions.ts'

/**
 * Mines one block with nothing but this call in it. With the next nonce of the chain: whatever waits at it is replaced.
 * @param at its time, by default a moment after the last block
 */
export function mineCall(simulation: Simulation, from: Hex, call: Call, at?: number): ModelReceipt {
  const { chain, clock, random, trace } = simulation
  simulation.transactions += 1
  const hash = hashOf(['mined alone', simulation.transactions, from])
  const nonce = chain.head.state.nonce(from)
  const timestamp = at ?? chain.head.timestamp + 1 + random.below(60)
  const block = chain.mine(timestamp, [{ hash, from, nonce, gasPrice: GWEI, gas: 100_000n, call }])
  clock.set(new Date(timestamp * 1000))
  const [receipt] = block.receipts
  if (receipt === undefined) throw new Error(`${call.do} is in no block`)
  trace(call.do, from, receipt.ok ? 'done' : receipt.refusal, block.hash)
  return receipt
}
