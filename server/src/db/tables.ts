import type { ChainTables } from './tables/chain.ts'
import type { DepositTables } from './tables/deposit.ts'
import type { ExchangeTables } from './tables/exchange.ts'
import type { IncomeTables } from './tables/income.ts'
import type { LedgerTables } from './tables/ledger.ts'
import type { MemberTables } from './tables/member.ts'
import type { NoticeTables } from './tables/notice.ts'
import type { PowerTables } from './tables/power.ts'
import type { RankingTables } from './tables/ranking.ts'
import type { WithdrawalTables } from './tables/withdrawal.ts'

/**
 * Every table as kysely sees it. Each area describes its own in `tables/<area>.ts`, next to no code,
 * and is added here.
 */
export interface Tables
  extends
    ChainTables,
    DepositTables,
    ExchangeTables,
    IncomeTables,
    LedgerTables,
    MemberTables,
    NoticeTables,
    PowerTables,
    RankingTables,
    WithdrawalTables {}
