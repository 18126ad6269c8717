// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { ChainTables } from './chain.ts'
import type { DbTables } from './db.ts'
import type { DepositTables } from './deposit.ts'
import type { ExchangeTables } from './exchange.ts'
import type { FileTables } from './file.ts'
import type { FundTables } from './fund.ts'
import type { IncomeTables } from './income.ts'
import type { LedgerTables } from './ledger.ts'
import type { LendingTables } from './lending.ts'
import type { MemberTables } from './member.ts'
import type { NoticeTables } from './notice.ts'
import type { OperatorTables } from './operator.ts'
import type { PowerTables } from './power.ts'
import type { ProofTables } from './proof.ts'
import type { RankingTables } from './ranking.ts'
import type { ReconcileTables } from './reconcile.ts'
import type { SessionTables } from './session.ts'
import type { SettingTables } from './setting.ts'
import type { WithdrawTables } from './withdraw.ts'

/** Every table and view as kysely sees it. */
export interface Tables
  extends
    ChainTables,
    DbTables,
    DepositTables,
    ExchangeTables,
    FileTables,
    FundTables,
    IncomeTables,
    LedgerTables,
    LendingTables,
    MemberTables,
    NoticeTables,
    OperatorTables,
    PowerTables,
    ProofTables,
    RankingTables,
    ReconcileTables,
    SessionTables,
    SettingTables,
    WithdrawTables {}
