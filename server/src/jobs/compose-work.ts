import type { ChainClient } from '../chain/client.ts'
import { creditConfirmed } from '../modules/crediting/credit-confirmed.ts'
import { agreeOnPayments } from '../chain/crediting/agree-payments.ts'
import { assetsByAddress } from '../chain/follow/read/decode.ts'
import { initialSyncState, followOnce } from '../chain/follow/follow-blocks.ts'
import type { PayoutChain } from '../chain/payout/payout-chain.ts'
import { type NodeMajority, observePrices } from '../chain/price/observe-prices.ts'
import { type Agree, agreeAlone } from '../chain/nodes/agree.ts'
import type { ChainReader } from '../chain/follow/read/read-chain.ts'
import type { Signer } from '../chain/signer.ts'
import type { ChainSettings } from '../chain/settings.ts'
import type { LoanWatch } from '../modules/lending/gauges.ts'
import { type Database, transaction } from '../db/open.ts'
import type { Clock } from '../kernel/clock.ts'
import { type IdSource, systemIds } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import { countDays } from '../ledger/statement/count-days.ts'
import { rollUp } from '../ledger/upkeep/roll-up.ts'
import { foldMemberCount } from '../modules/member/count-members.ts'
import { collectBacklog } from '../modules/notice/collect-notices.ts'
import { foldLeverTotal } from '../modules/lending/project/ceiling.ts'
import { foldTotalPower } from '../modules/power/holdings/read-total-power.ts'
import { watchLoans } from '../modules/lending/loan/watch/watch-loans.ts'
import { foldPerformance } from '../modules/ranking/fold-performance.ts'
import { reconcile } from '../modules/reconcile/reconcile.ts'
import { payOut } from '../modules/withdraw/payout/pay-out.ts'
import type { PayoutDeps } from '../modules/withdraw/payout/payout-deps.ts'

type FollowedContracts = Pick<ChainSettings, 'gateway' | 'usdt' | 'hash'>
type PricedPairs = Pick<ChainSettings, 'hash' | 'wju' | 'hashPair' | 'juPair'>

export type ChainWorkParts = {
  contracts: FollowedContracts
  confirmations: ChainSettings['confirmations']
  /** Blocks of one range of logs at most, where the operator has set it. */
  maxRange?: number | undefined
  db: Database
  reader: ChainReader
  /** Asks each node for the payments that are to be credited; absent where there is one node. */
  agree?: Agree<ChainReader> | undefined
  clock: Clock
  log: Log
}

/** Following the chain and crediting its payments. The sync state is kept in memory from one call to the next. */
export function composeChainWork(parts: ChainWorkParts) {
  const { contracts, confirmations, db, reader, agree, clock, log, maxRange } = parts
  const { gateway } = contracts
  const sync = initialSyncState(maxRange === undefined ? {} : { maxRange: BigInt(maxRange) })
  const followDeps = {
    db,
    reader,
    clock,
    log,
    gateway,
    assets: assetsByAddress(contracts),
    confirmations,
  }
  return {
    sync,
    /** Reads the next block range. @returns true when there is more to read at once */
    follow: () => followOnce(followDeps, sync),
    /** Credits one batch of payments that have enough confirmations. */
    credit: async (batchSize: number) => {
      const asking = { db, clock, log, gateway, assets: followDeps.assets, isAlone: agree === undefined }
      await agreeOnPayments({ ...asking, agree: agree ?? agreeAlone(reader) })
      return creditConfirmed({ db, clock, log, batchSize, mustAgree: agree !== undefined })
    },
  }
}

export type PayoutWorkParts = {
  payouts: PayoutChain
  /** By default `payouts` alone decides. */
  agree?: Agree<PayoutChain> | undefined
  confirmations: ChainSettings['confirmations']
  db: Database
  clock: Clock
  log: Log
}

/** Comparing the books with the chain, and paying out with a signer. */
export function composePayoutWork({ payouts, agree, confirmations, db, clock, log }: PayoutWorkParts) {
  const payoutDeps = (signer: Signer): PayoutDeps => ({
    db,
    chain: payouts,
    agree,
    signer,
    clock,
    log,
    confirmations,
  })
  return {
    payoutDeps,
    reconcile: () => reconcile({ db, chain: payouts, agree, clock, log }),
    /** @returns true when there is more to do at once */
    payOut: (signer: Signer) => payOut(payoutDeps(signer)),
  }
}

export type UpkeepParts = {
  db: Database
  client: ChainClient
  log: Log
  config: PricedPairs
  /** Whom prices are asked of; absent where there is one node. */
  most?: NodeMajority | undefined
}

/** Margin calls, and selling collateral of loans that have reached their clearing line or are in default. */
export function composeLoanWatch(
  db: Database,
  clock: Clock,
  { ids = systemIds(clock), watch = { lastAt: null } }: { ids?: IdSource; watch?: LoanWatch } = {},
) {
  const deps = { db, clock, ids }
  /** @returns how many loans were liquidated */
  return async () => {
    const liquidated = await watchLoans(deps)
    watch.lastAt = clock.now()
    return liquidated
  }
}

/** Observing prices, and what needs the database alone. */
export function composeUpkeep({ db, client, log, config, most }: UpkeepParts) {
  const { hash, wju, hashPair, juPair } = config
  const pairs = [
    { asset: 'HASH', token: hash, pair: hashPair },
    { asset: 'JU', token: wju, pair: juPair },
  ] as const
  return {
    observePrices: () => observePrices({ db, client, pairs, log, most }),
    rollUp: () => transaction(db, rollUp),
    /** @returns how many postings were counted */
    countDays: () => transaction(db, (tx) => countDays(tx)),
    /** Puts together what changed of the counts that everybody may ask for. */
    foldTotals: async () => {
      await foldMemberCount(db)
      await foldTotalPower(db)
      await foldLeverTotal(db)
    },
    /** @returns true when there may be more */
    collectNotices: () => transaction(db, collectBacklog),
    /** @returns how many purchases were counted */
    countPurchases: () => foldPerformance(db),
  }
}
