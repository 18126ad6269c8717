import type { ConfirmationRule } from '../../../chain/crediting/confirmations.ts'
import type { Agree } from '../../../chain/nodes/agree.ts'
import type { AttestChain } from '../../../chain/payout/attest-chain.ts'
import type { PayoutChain } from '../../../chain/payout/payout-chain.ts'
import type { Signer } from '../../../chain/signer.ts'
import type { Database } from '../../../db/open.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import type { SnapshotDeps } from '../snapshot/take-snapshot.ts'

/** The questions that each node is asked. */
export type AttestNode = { chain: Pick<PayoutChain, 'nonceAt'>; attest: Pick<AttestChain, 'lastAt' | 'refusal'> }

/** The parts that attesting needs. */
export type AttestDeps = {
  db: Database
  clock: Clock
  log: Log
  chain: Pick<PayoutChain, 'nonceAt' | 'gasPrice' | 'send' | 'receipt'>
  attest: AttestChain
  /** Asks each node for what an attestation rests on; by default one node decides. */
  agree?: Agree<AttestNode> | undefined
  signer: Signer
  snapshot: SnapshotDeps
  confirmations: ConfirmationRule
}

/** Enough with room for other costs of storage than those of today. */
export const ATTEST_GAS = 300_000n
