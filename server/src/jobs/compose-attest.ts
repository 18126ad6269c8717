import { utcDay } from '@candela/protocol/calendar'
import { readFollowedBlocks } from '../chain/payer/followed.ts'
import { RpcError } from '../chain/ask.ts'
import { type Agree, agreeAlone } from '../chain/nodes/agree.ts'
import { readNotices } from '../chain/payout/contract-notices.ts'
import { type AttestChain, attestChain } from '../chain/payout/attest-chain.ts'
import type { ChainClient } from '../chain/client.ts'
import { type At, type PayoutChain, payoutChain } from '../chain/payout/payout-chain.ts'
import { readAverages } from '../chain/price/price.ts'
import type { Signer } from '../chain/signer.ts'
import type { ChainSettings } from '../chain/settings.ts'
import type { Database } from '../db/open.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { threadFile } from '../kernel/threads.ts'
import { readFund } from '../modules/fund/read-fund.ts'
import { listOpenDebts } from '../modules/lending/loan/orders/list-open-debts.ts'
import { lastMemberId, listAddresses } from '../modules/member/list-addresses.ts'
import { attestRounds } from '../modules/proof/attest/attest-round.ts'
import { watchAttestations, watchExit, watchNotices } from '../modules/proof/attest/watch-contract.ts'
import { newSeed } from '../modules/proof/snapshot/leaf-secrets.ts'
import type { SnapshotDeps } from '../modules/proof/snapshot/take-snapshot.ts'
import { keepCaps } from '../modules/withdraw/contract-caps.ts'

const snapshotThread = threadFile(import.meta.url, 'snapshot-thread')

/** The parts that each node is asked through. */
export type AttestedThrough = { payouts: PayoutChain; attest: AttestChain }

export type AttestParts = {
  db: Database
  client: ChainClient
  payouts: PayoutChain
  config: Pick<ChainSettings, 'gateway' | 'hash' | 'confirmations'>
  /** Asks each node; absent where there is one. */
  agree?: Agree<AttestedThrough> | undefined
  clock: Clock
  log: Log
  /** By default from the operating system's random source. */
  newSeed?: SnapshotDeps['newSeed']
  /** Where threads read many members from; without it they are read in this thread. */
  databaseUrl?: string
}

/** The sources that a snapshot of what is owed is read from. */
export function snapshotDeps({
  db,
  payouts,
  config,
  clock,
  ...parts
}: Pick<AttestParts, 'db' | 'clock' | 'agree' | 'newSeed' | 'databaseUrl'> & {
  config: Pick<ChainSettings, 'gateway' | 'confirmations'>
  payouts: Pick<PayoutChain, 'holdings'>
}): SnapshotDeps {
  return {
    db,
    clock,
    gateway: config.gateway,
    newSeed: parts.newSeed ?? newSeed,
    ...(parts.databaseUrl === undefined
      ? {}
      : { threads: { filename: snapshotThread, databaseUrl: parts.databaseUrl } }),
    holdings: (at) => agreedHoldings({ payouts, clock, agree: parts.agree }, at),
    readFinal: async (tx) => (await readFollowedBlocks(tx, config.confirmations))?.finalState ?? null,
    sources: {
      listAddresses,
      lastMemberId,
      listOpenDebts,
      readFund,
      readPrices: (tx) => readAverages(tx, clock.now()),
    },
  }
}

/** Reads what the gateway holds, as more than half of the nodes say. @throws RpcError when they do not agree */
async function agreedHoldings(
  { payouts, clock, agree }: Pick<AttestParts, 'agree' | 'clock'> & { payouts: Pick<PayoutChain, 'holdings'> },
  at: At,
): ReturnType<PayoutChain['holdings']> {
  if (agree === undefined) return payouts.holdings(at)
  const decision = { name: `attestation ${utcDay(clock.now())}`, at }
  const held = await agree(decision, (node) => node.payouts.holdings(at))
  if (held === null) throw new RpcError('badAnswer', 'the nodes do not agree on what the contract holds')
  return held.agreed
}

/** Attesting once a day with the attester's key, whose nonces are counted as those of a payer. */
export function composeAttesting({ client, ...parts }: AttestParts, signer: Signer): () => Promise<boolean> {
  const { db, payouts, config, agree, clock, log } = parts
  return attestRounds({
    db,
    clock,
    log,
    chain: payouts,
    attest: attestChain(client, config),
    agree: agree && ((decision, ask) => agree(decision, (node) => ask({ chain: node.payouts, attest: node.attest }))),
    signer,
    snapshot: snapshotDeps(parts),
    confirmations: config.confirmations,
  })
}

export type WatchParts = Pick<AttestParts, 'db' | 'client' | 'clock' | 'log'> & {
  config: Pick<ChainSettings, 'gateway' | 'usdt' | 'hash' | 'confirmations'>
  /** Asks each node; absent where there is one. */
  agree?: Agree | undefined
}

/** Asks the contract for its caps, attestation, exit mode and announcements. Most nodes have to say the same. */
export function composeContractWatch({ db, client, agree, config, clock, log }: WatchParts): () => Promise<void> {
  const askNodes = agree ?? agreeAlone(client)
  return async () => {
    const followed = await readFollowedBlocks(db, config.confirmations)
    if (followed === null) return
    const { tip } = followed
    const answer = await askNodes({ name: 'contract all', at: tip }, async (node) => {
      const attest = attestChain(node, config)
      return {
        caps: await payoutChain(node, config).caps(tip),
        last: await attest.lastAt(tip),
        exitedAt: await attest.exitedAt(tip),
        notices: await readNotices(node, config, tip),
      }
    })
    if (answer === null) return
    const { caps, last, exitedAt, notices } = answer.agreed
    await keepCaps(db, { caps, at: tip.at })
    await watchAttestations({ db, clock, log }, last)
    await watchExit({ db, clock, log }, exitedAt)
    await watchNotices({ db, clock, log }, notices)
  }
}
