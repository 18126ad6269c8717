// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { Generated, GeneratedAlways } from 'kysely'

export type FundTables = {
  /** One row that changes of the money fund lock. */
  fund: {
    /** Always true: there is one row. */
    only_row: Generated<true>
  }
  /** How far the members of the fund have been told of a deficit. */
  fund_deficit_notice: {
    price_id: bigint
    /** Members up to this one have been told. */
    told_to: bigint
    /** When all had been told. Null while some have not. */
    told_at: Date | null
  }
  /** What members paid into the fund and took out of it, for ever. USDT base units. */
  fund_member: {
    member_id: bigint
    paid_in: bigint
    paid_out: bigint
  }
  /** Every change of the share price of the money fund. Amounts in USDT base units. */
  fund_price: {
    id: GeneratedAlways<bigint>
    /** close: interest of a day. deficit: a loss that the reserve could not pay. */
    reason: 'close' | 'deficit'
    /** UTC day that was closed. */
    day: string | null
    loan_no: string | null
    at: Date
    assets_before: bigint
    assets_after: bigint
    shares: bigint
    /** Place among the postings of the ledger: shares with lower numbers were there before. */
    place: bigint
    /** What the reserve had. */
    reserve: bigint
  }
}
