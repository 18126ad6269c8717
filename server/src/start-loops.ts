import { CHAIN_ID } from '@candela/protocol/chain/network'
import type { ChainClient } from './chain/client.ts'
import { creditConfirmed } from './chain/credit.ts'
import { assetsByAddress } from './chain/decode.ts'
import { firstPace, followOnce } from './chain/follow-blocks.ts'
import { type Loop, runLoop } from './chain/loop.ts'
import type { PayoutChain } from './chain/payout-chain.ts'
import { observePrices, readPrices, readUsablePrice, valueAt } from './chain/price.ts'
import type { ChainReader } from './chain/read-chain.ts'
import type { Signer } from './chain/signer.ts'
import { startFollowing } from './chain/start-following.ts'
import type { Config } from './config.ts'
import { type Database, transaction } from './db/open.ts'
import type { Clock } from './kernel/clock.ts'
import type { Log } from './kernel/log.ts'
import { rollUp } from './ledger/roll-up.ts'
import { notify } from './modules/notice/notify.ts'
import { foldPerformance } from './modules/ranking/fold-performance.ts'
import { arePayoutsPaused } from './modules/reconcile/pause.ts'
import { reconcile } from './modules/reconcile/reconcile.ts'
import { payOut } from './modules/withdraw/pay-out.ts'
import { paymentSettler } from './settle-payments.ts'

export type LoopParts = {
  config: Config['chain']
  db: Database
  client: ChainClient
  reader: ChainReader
  payouts: PayoutChain
  /** Null for a server that pays nothing out. */
  signer: Signer | null
  clock: Clock
  log: Log
}

const CREDIT_BATCH = 500
const PRICE_INTERVAL_MS = 10_000
const ROLL_UP_INTERVAL_MS = 10_000
const COUNT_INTERVAL_MS = 1_000

const loadValuation = async (db: Database, now: Date) => valueAt(await readPrices(db, now))

/**
 * Starts everything that goes on all the time: following the chain, crediting, watching prices, rolling
 * up, comparing the books with the chain, and paying out where there is a key for it.
 * @throws when the database follows another contract
 */
export async function startLoops(parts: LoopParts): Promise<Loop[]> {
  const { config, db, client, reader, payouts, signer, clock, log } = parts
  const { gateway, confirmations, pollInterval_ms, reconcileInterval_ms } = config
  const contract = { chainId: CHAIN_ID, gateway, startBlock: BigInt(config.startBlock) }
  await transaction(db, (tx) => startFollowing(tx, contract, clock.now()))

  const pace = firstPace()
  const assets = assetsByAddress(config)
  const follow = () => followOnce({ db, reader, clock, log, gateway, assets, confirmations, loadValuation }, pace)

  const settle = paymentSettler({ readPrice: readUsablePrice })
  const credit = async () => {
    const { credited, failed } = await creditConfirmed({ db, clock, log, settle, batchSize: CREDIT_BATCH })
    return credited + failed === CREDIT_BATCH
  }

  const pairs = [
    { asset: 'HASH', token: config.hash, pair: config.hashPair },
    { asset: 'JU', token: config.wju, pair: config.juPair },
  ] as const
  const observe = async () => {
    await observePrices({ db, client, pairs })
    return false
  }

  const fold = async () => {
    await transaction(db, rollUp)
    return false
  }

  const count = async () => (await foldPerformance(db)) > 0

  const compare = async () => {
    await reconcile({ db, chain: payouts, clock, log })
    return false
  }

  const payer = (by: Signer) => {
    const deps = { db, chain: payouts, signer: by, clock, log, notify, confirmations, isPaused: arePayoutsPaused }
    return runLoop({ name: 'paying out', work: () => payOut(deps), interval_ms: pollInterval_ms, log })
  }
  return [
    runLoop({ name: 'following the chain', work: follow, interval_ms: pollInterval_ms, log }),
    runLoop({ name: 'crediting payments', work: credit, interval_ms: pollInterval_ms, log }),
    runLoop({ name: 'observing prices', work: observe, interval_ms: PRICE_INTERVAL_MS, log }),
    runLoop({ name: 'rolling up the ledger', work: fold, interval_ms: ROLL_UP_INTERVAL_MS, log }),
    runLoop({ name: 'counting purchases', work: count, interval_ms: COUNT_INTERVAL_MS, log }),
    runLoop({ name: 'reconciling', work: compare, interval_ms: reconcileInterval_ms, log }),
    ...(signer === null ? [] : [payer(signer)]),
  ]
}
