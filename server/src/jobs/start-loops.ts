import { agreement, agreeThrough, majorityHead } from '../chain/nodes/agree.ts'
import type { Nodes } from '../chain/nodes/nodes.ts'
import { attestChain } from '../chain/payout/attest-chain.ts'
import { type Loop, runLoop } from './loop.ts'
import { type PayoutChain, payoutChain } from '../chain/payout/payout-chain.ts'
import { type ChainReader, chainReader } from '../chain/follow/read/read-chain.ts'
import type { Signer } from '../chain/signer.ts'
import { lendingChecks } from '../modules/lending/checks.ts'
import { composeAttesting, composeContractWatch } from './compose-attest.ts'
import { composeChainWork, composeLoanWatch, composePayoutWork, composeUpkeep } from './compose-work.ts'
import type { ChainSettings } from '../chain/settings.ts'
import type { LoanWatch } from '../modules/lending/gauges.ts'
import type { Database } from '../db/open.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { ledgerAuditor } from '../ledger/audit/audit-round.ts'

/** Null for what a server has no key for. */
export type Signers = { payer: Signer | null; attester: Signer | null }

export type LoopParts = {
  config: ChainSettings
  /** Fenced: nothing is written once another server has taken the lease. */
  db: Database
  /** For threads, which have connections of their own. */
  databaseUrl: string
  nodes: Nodes
  reader: ChainReader
  payouts: PayoutChain
  signers: Signers
  clock: Clock
  log: Log
  /** Is told when all loans were looked at. */
  watch: LoanWatch
}

const CREDIT_BATCH = 500
const ROLL_UP_INTERVAL_MS = 10_000
const COUNT_INTERVAL_MS = 1_000
/** How often it is asked whether the hourly audit is due. */
const AUDIT_CHECK_INTERVAL_MS = 60_000
const COLLECT_INTERVAL_MS = 1_000

/**
 * Starts everything that goes on all the time: following the chain, crediting, watching prices, rolling
 * up, auditing the ledger, comparing the books with the chain, and paying out and attesting where there is a key for it.
 */
export function startLoops(parts: LoopParts): Loop[] {
  const { config, db, databaseUrl, nodes, reader, payouts, signers, clock, log, watch } = parts
  const { confirmations, pollInterval_ms, priceInterval_ms, reconcileInterval_ms } = config
  const { client } = nodes
  const agree = agreements({ config, db, nodes, clock, log })
  const chainWork = composeChainWork({
    contracts: config,
    maxRange: config.maxRange,
    confirmations,
    db,
    reader,
    agree: agree?.payments,
    clock,
    log,
  })
  const payoutWork = composePayoutWork({ payouts, agree: agree?.payouts, confirmations, db, clock, log })
  const watchContract = composeContractWatch({ db, client, agree: agree?.contract, config, clock, log })
  const upkeep = composeUpkeep({ db, client, log, config, most: agree?.prices })
  const watchLoans = composeLoanWatch(db, clock, { watch })

  const credit = async () => {
    const { credited, failed } = await chainWork.credit(CREDIT_BATCH)
    return credited + failed === CREDIT_BATCH
  }
  const observe = async () => {
    await upkeep.observePrices()
    return false
  }
  const lookAtLoans = async () => {
    await watchLoans()
    return false
  }
  const fold = async () => {
    await upkeep.rollUp()
    await upkeep.foldTotals()
    return (await upkeep.countDays()) > 0
  }
  const count = async () => (await upkeep.countPurchases()) > 0
  const compare = async () => {
    await payoutWork.reconcile()
    await watchContract()
    return false
  }
  const audit = ledgerAuditor({ db, clock, log, further: lendingChecks })
  const payer = (by: Signer) =>
    runLoop({ name: 'paying out', work: () => payoutWork.payOut(by), interval_ms: pollInterval_ms, log })
  const payers = signers.payer === null ? [] : [payer(signers.payer)]
  let hasRead = false
  const follow = async () => {
    const more = await chainWork.follow()
    // With as many payouts under way as may be, the next are signed when a block has some of them.
    if (hasRead && !more) for (const loop of payers) loop.wake()
    hasRead = more
    return more
  }
  const attesting = (by: Signer) =>
    runLoop({
      name: 'attesting',
      work: composeAttesting({ db, client, agree: agree?.attesting, payouts, config, clock, log, databaseUrl }, by),
      interval_ms: pollInterval_ms,
      log,
    })
  return [
    runLoop({ name: 'following the chain', work: follow, interval_ms: pollInterval_ms, log }),
    runLoop({ name: 'crediting payments', work: credit, interval_ms: pollInterval_ms, log }),
    runLoop({ name: 'observing prices', work: observe, interval_ms: priceInterval_ms, log }),
    runLoop({ name: 'watching loans', work: lookAtLoans, interval_ms: priceInterval_ms, log }),
    runLoop({ name: 'rolling up the ledger', work: fold, interval_ms: ROLL_UP_INTERVAL_MS, log }),
    runLoop({ name: 'counting purchases', work: count, interval_ms: COUNT_INTERVAL_MS, log }),
    runLoop({ name: 'auditing the ledger', work: audit, interval_ms: AUDIT_CHECK_INTERVAL_MS, log }),
    runLoop({ name: 'collecting notices', work: upkeep.collectNotices, interval_ms: COLLECT_INTERVAL_MS, log }),
    runLoop({ name: 'reconciling', work: compare, interval_ms: reconcileInterval_ms, log }),
    ...payers,
    ...(signers.attester === null ? [] : [attesting(signers.attester)]),
  ]
}

/** Builds the questions that each node is asked where money is decided; undefined where there is one node. */
function agreements({ config, db, nodes, clock, log }: Pick<LoopParts, 'config' | 'db' | 'nodes' | 'clock' | 'log'>) {
  if (nodes.all.length < 2) return undefined
  const agree = agreement({ db, clock, log }, nodes)
  const { gateway, usdt, hash } = config
  return {
    payments: agreeThrough(agree, (node) => chainReader(node, gateway, [usdt, hash])),
    payouts: agreeThrough(agree, (node) => payoutChain(node, config)),
    contract: agree,
    prices: { agree, head: () => majorityHead(nodes) },
    attesting: agreeThrough(agree, (node) => ({
      payouts: payoutChain(node, config),
      attest: attestChain(node, config),
    })),
  }
}
