import type { Key } from '@candela/protocol/endpoints'
import { oldPages, rankings } from './compose-standby.ts'
import type { Config } from '../config.ts'
import type { Database } from '../../db/open.ts'
import { primaryReads, type StandbyReads } from '../../db/standby/standby.ts'
import type { Handlers } from '../../kernel/handler.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { commandHandlers } from '../../modules/command/endpoints.ts'
import { depositHandlers } from '../../modules/deposit/endpoints.ts'
import { exchangeHandlers } from '../../modules/exchange/endpoints.ts'
import { fundHandlers } from '../../modules/fund/endpoints.ts'
import { lendingHandlers } from '../../modules/lending/endpoints.ts'
import { isCharged } from '../../modules/lending/loan/daily/is-charged.ts'
import { fileHandlers } from '../../modules/file/endpoints.ts'
import { homeHandlers } from '../../modules/home/endpoints.ts'
import { incomeHandlers } from '../../modules/income/endpoints.ts'
import { memberHandlers } from '../../modules/member/endpoints.ts'
import { noticeHandlers } from '../../modules/notice/endpoints.ts'
import { powerHandlers } from '../../modules/power/endpoints.ts'
import { solvencyHandlers } from '../../modules/reconcile/endpoints.ts'
import { proofHandlers } from '../../modules/proof/endpoints.ts'
import { sessionHandlers } from '../../modules/session/endpoints.ts'
import { type AskContract, createVerifySignature } from '../../chain/signature/verify-signature.ts'
import { statementHandlers } from '../../modules/statement/endpoints.ts'
import { transferHandlers } from '../../modules/transfer/endpoints.ts'
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
}

/** Every endpoint of the table with what answers it: one without a handler does not compile. */
export function composeHandlers(parts: HandlerParts): Handlers<Key> {
  const { config, db, standby = primaryReads(db), askContract, ids, log } = parts
  const { gateway, usdt, hash, confirmations } = config.chain
  const chainLimits = config.chain
  // One for all handlers, because its limits on contract checks are for all of them together.
  const verifySignature = createVerifySignature(askContract, log)
  return {
    ...sessionHandlers({ db, ids, site: config.signIn, verifySignature }),
    ...homeHandlers({
      db,
      standby,
      chainLimits,
      network: config.network,
      walletConnect: config.walletConnect,
      contracts: { gateway, usdt, hash },
      confirmations,
    }),
    ...memberHandlers({ db }),
    ...rankings(standby),
    ...proofHandlers({ db }),
    ...powerHandlers({ db, ids, contracts: { gateway, usdt }, chainLimits }),
    ...incomeHandlers({ db }),
    ...depositHandlers({ db, ids, contracts: { gateway, usdt, hash }, chainLimits }),
    ...transferHandlers({ db, ids, gateway, verifySignature }),
    ...commandHandlers({ db }),
    ...noticeHandlers({ db }),
    ...statementHandlers({ db }),
    ...fileHandlers({ db, ids }),
    ...exchangeHandlers({ db, ids }),
    ...withdrawHandlers({ db, ids, confirmations }),
    ...solvencyHandlers({ db }),
    ...fundHandlers({ db, isCharged }),
    ...lendingHandlers({ db, ids, contracts: { gateway, usdt } }),
    ...oldPages(db, standby),
  }
}
