import type { Agree } from '../../../chain/nodes/agree.ts'
import type { AttestChain } from '../../../chain/payout/attest-chain.ts'
import type { At, PayoutChain } from '../../../chain/payout/payout-chain.ts'
import type { Signer } from '../../../chain/signer.ts'
import type { Database, Tx } from '../../../db/open.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import type { SnapshotDeps } from '../snapshot/take-snapshot.ts'

/** Where the follower is. `finalState` is where states are asked for that have to be final; null while too few blocks are known. */
export type FollowedBlocks = { tip: At & { at: Date }; finalState: At | null }

/** What is asked of each node. */
export type AttestNode = { chain: Pick<PayoutChain, 'nonceAt'>; attest: Pick<AttestChain, 'lastAt' | 'refusal'> }

/** What attesting needs. */
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
  readFollowed: (db: Database) => Promise<FollowedBlocks | null>
  /** The payer's nonces, which payouts use too: locked until the transaction ends. */
  nonces: {
    lock: (
      tx: Tx,
      payer: string,
      chain: { nonceNow: bigint; nonceFinal: bigint | null },
    ) => Promise<bigint | { refused: string }>
    use: (tx: Tx, payer: string, nonce: bigint) => Promise<void>
  }
  /** The price to offer after an old one; null above the most that is allowed. All in base units per unit of gas. */
  bumped: (old: bigint, wanted: bigint, most: bigint) => bigint | null
}

/** Enough with room for other costs of storage than those of today. */
export const ATTEST_GAS = 300_000n
