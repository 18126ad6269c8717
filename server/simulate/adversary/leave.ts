import type { Hex } from 'viem'
import { EXIT_DELAY_S, provedLeaf, SHARING_DELAY_S } from '../model/attested-state.ts'
import { WHOLE } from '../run/simulation.ts'
import { mineCall } from '../workload/exit/mine-call.ts'
import { saveProofs } from '../workload/save-proofs.ts'
import { transfer, withdraw } from './acts.ts'
import { type Account, block, type Economy, payOut, waitUntilMidnight, work } from './economy.ts'

/** A day is attested so long after its midnight. */
const ATTESTED_AFTER_S = 1_900
const ROUNDS = 16

type Leaving = { from: Account; to: Account; movesBack: boolean; withdraws: boolean }

/**
 * Has proofs of two days of the same money, in two accounts, and claims by both of them after the exit.
 * @param leaving `movesBack`: before the end it goes where it was. `withdraws`: a part is paid out after the last day that is attested
 */
export async function leaveByOldProofs(economy: Economy, { from, to, movesBack, withdraws }: Leaving): Promise<void> {
  const { simulation } = economy
  await attestDay(economy)
  if (from !== to) await transfer(economy, from, to)
  await attestDay(economy)
  if (movesBack && from !== to) await transfer(economy, to, from)
  if (withdraws) {
    const payee = movesBack ? from : to
    const held = () => simulation.chain.head.state.balance('USDT', payee.signer.address.toLowerCase())
    const before = held()
    await withdraw(economy, payee, 50n * WHOLE)
    await payOut(economy)
    economy.paidSinceAttested = held() - before
  }
  economy.hasExited = true
  const { chain, proofs } = simulation
  const { last } = chain.head.state.attested
  const someone = from.signer.address.toLowerCase() as Hex
  mineCall(
    simulation,
    someone,
    { do: 'enterExit' },
    Math.max(last.attestedAt + EXIT_DELAY_S + 1, chain.head.timestamp + 1),
  )
  for (const delay_s of [1, SHARING_DELAY_S]) {
    let at = chain.head.timestamp + delay_s
    for (const proof of proofs) {
      const { ok } = mineCall(simulation, someone, { do: 'claim', proof: provedLeaf(proof) }, at++)
      count(
        economy,
        `claim of ${proof.day === dayOf(economy) ? 'the last' : 'an older'} day ${ok ? 'accepted' : 'refused'}`,
      )
    }
  }
}

const dayOf = ({ simulation: { proofs } }: Economy): string => proofs.at(-1)?.day ?? ''

const count = ({ answers }: Economy, answer: string): void => {
  answers[answer] = (answers[answer] ?? 0) + 1
}

/** Until a day is attested for good, and everybody has saved a proof of it. */
async function attestDay(economy: Economy): Promise<void> {
  await waitUntilMidnight(economy, ATTESTED_AFTER_S)
  for (let round = 0; round < ROUNDS; round++) {
    economy.paidAt = economy.simulation.chain.head.timestamp
    await work(economy, 'attest')
    await block(economy)
  }
  await saveProofs(economy.simulation)
}
