import type { AssetCode } from '@candela/protocol/money/assets'
import type { Key } from '@candela/protocol/endpoints'
import { confirmationsNeeded } from '../../chain/crediting/confirmations.ts'
import { readPrices, sharedPrices } from '../../chain/price/price.ts'
import { isKeepingUp, readFollowerStatus } from '../../chain/follow/status.ts'
import { lendingHandlers, overviewSources } from './compose-lending.ts'
import { observedPrices, type PriceSource } from './compose-work.ts'
import { oldPages, rankings } from './compose-standby.ts'
import type { Config } from '../config.ts'
import type { Database } from '../../db/open.ts'
import { primaryReads, type StandbyReads } from '../../db/standby/standby.ts'
import type { Handlers } from '../../kernel/handler.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { createCommit } from '../../ledger/commit.ts'
import { commandHandlers } from '../../modules/command/endpoints.ts'
import { depositHandlers } from '../../modules/deposit/endpoints.ts'
import { exchangeHandlers } from '../../modules/exchange/endpoints.ts'
import { listUsedPrices } from '../../modules/exchange/list-used-prices.ts'
import { listFundChanges } from '../../modules/fund/list-changes.ts'
import { readFundRate } from '../../modules/fund/rate.ts'
import { fileHandlers } from '../../modules/file/endpoints.ts'
import { homeHandlers } from '../../modules/home/endpoints.ts'
import { incomeHandlers } from '../../modules/income/endpoints.ts'
import { readLastDay } from '../../modules/income/read-day.ts'
import { memberHandlers } from '../../modules/member/endpoints.ts'
import { countMembers } from '../../modules/member/count-members.ts'
import { registerMember } from '../../modules/member/register.ts'
import { noticeHandlers } from '../../modules/notice/endpoints.ts'
import { readAddress, readJoinedAt } from '../../modules/member/read-address.ts'
import { readLevel } from '../../modules/member/read-level.ts'
import { powerHandlers } from '../../modules/power/endpoints.ts'
import { readTotalPower } from '../../modules/power/holdings/read-total-power.ts'
import { solvencyHandlers } from '../../modules/reconcile/endpoints.ts'
import { summarizeSolvency } from '../../modules/reconcile/get-solvency.ts'
import { readPauseReason } from '../../modules/reconcile/pause.ts'
import { proofHandlers, savedProofOf } from '../../modules/proof/endpoints.ts'
import { sessionHandlers } from '../../modules/session/endpoints.ts'
import { type AskContract, createVerifySignature } from '../../chain/signature/verify-signature.ts'
import { csvStatement } from '../../modules/statement/csv-statement.ts'
import { statementHandlers } from '../../modules/statement/endpoints.ts'
import { transferHandlers } from '../../modules/transfer/endpoints.ts'
import { hashTerms } from '../../modules/transfer/hash-terms.ts'
import { withdrawHandlers } from '../../modules/withdraw/endpoints.ts'

export type HandlerParts = {
  config: Pick<Config, 'signIn' | 'network' | 'walletConnect'> & {
    chain: Pick<Config['chain'], 'gateway' | 'usdt' | 'hash' | 'confirmations' | 'maxHeadAge_s' | 'maxLag_blocks'>
  }
  db: Database
  /** For what may be a moment old; without it everything comes from `db`. */
  standby?: StandbyReads
  /** Asks whether a contract accepts a signature. */
  askContract: AskContract
  ids: IdSource
  log: Log
  /** Where prices of orders, transfers and withdrawals come from; a test may fix them. */
  prices?: Pick<PriceSource, 'readPrice' | 'readLimitPrice'>
}

/** Every endpoint of the table with what answers it: one without a handler does not compile. */
export function composeHandlers(parts: HandlerParts): Handlers<Key> {
  const { config, db, standby = primaryReads(db), askContract, ids, log, prices = observedPrices } = parts
  const { readPrice, readLimitPrice } = prices
  const { gateway, usdt, hash } = config.chain
  const isChainBehind = async (reader: Database, now: Date) =>
    !isKeepingUp(await readFollowerStatus(reader, now), config.chain)
  // One for all handlers, because its limits on contract checks are for all of them together.
  const verifySignature = createVerifySignature(askContract, log)
  const proofs = {
    db,
    addressOf: (memberId: bigint) => readAddress(db, memberId),
    joinedAt: (memberId: bigint) => readJoinedAt(db, memberId),
  }
  return {
    ...sessionHandlers({
      db,
      ids,
      site: config.signIn,
      verifySignature,
      registerMember,
    }),
    ...homeHandlers({
      readTotalPower: () => standby.recent(readTotalPower),
      countMembers: () => standby.recent(countMembers),
      readLastDay: () => standby.recent((reader) => readLastDay(reader)),
      readFundRate: () => standby.recent(readFundRate),
      isChainDelayed: (now) => standby.recent((reader) => isChainBehind(reader, now)),
      readSolvency: (now) => standby.recent((reader) => summarizeSolvency(reader, now)),
      network: config.network,
      walletConnect: config.walletConnect,
      contracts: { gateway, usdt, hash },
      confirmations: config.chain.confirmations,
      overview: overviewSources(db),
    }),
    ...memberHandlers({ db, averagePrices: averagePrices(db) }),
    ...rankings(standby),
    ...proofHandlers(proofs),
    ...powerHandlers({
      db,
      ids,
      contracts: { gateway, usdt },
      readPrice,
      isChainBehind,
      readLastDay,
    }),
    ...incomeHandlers({ db }),
    ...depositHandlers({ db, ids, contracts: { gateway, usdt, hash }, isChainBehind }),
    ...transferHandlers({
      db,
      ids,
      commit: createCommit(db),
      hashTerms: hashTerms(gateway),
      verifySignature,
      readPrice,
    }),
    ...commandHandlers({ db }),
    ...noticeHandlers({ db }),
    ...statementHandlers({ db }),
    ...fileHandlers({
      db,
      ids,
      readStatement: (...wanted) => csvStatement(db, ...wanted),
      readProof: (...wanted) => savedProofOf(proofs, ...wanted),
    }),
    ...exchangeHandlers({ db, ids, readPrices, readLevel }),
    ...withdrawHandlers({
      db,
      ids,
      readLimitPrice,
      readPauseReason,
      confirmationsOf: (worth) => confirmationsNeeded(config.chain.confirmations, worth),
    }),
    ...solvencyHandlers({ db, listFundChanges, listUsedPrices }),
    ...lendingHandlers({ db, ids, contracts: { gateway, usdt } }),
    ...oldPages(db, standby),
  }
}

/** Only shows what a balance is worth, so a paused average may be used. */
function averagePrices(db: Database): (now: Date) => Promise<Record<AssetCode, bigint | null>> {
  const read = sharedPrices(db)
  return async (now) => {
    const { JU, USDT, HASH } = await read(now)
    return { JU: JU.average, USDT: USDT.average, HASH: HASH.average }
  }
}
