import type { ConfirmationRule } from '../../../chain/crediting/confirmations.ts'
import type { PayoutChain } from '../../../chain/payout/payout-chain.ts'
import type { Agree } from '../../../chain/nodes/agree.ts'
import type { Signer } from '../../../chain/signer.ts'
import type { Database } from '../../../db/open.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'

/** The parts that the workers that pay out need. Any number of them may run at once, on one machine or several. */
export type PayoutDeps = {
  db: Database
  chain: PayoutChain
  /** Asks each node for what gives money back; by default `chain` alone decides. */
  agree?: Agree<PayoutChain> | undefined
  signer: Signer
  clock: Clock
  log: Log
  confirmations: ConfirmationRule
}

/** Enough for a token with checks of its own, or for a wallet that is a contract (the gateway gives it 100,000). */
export const PAYOUT_GAS = 400_000n
