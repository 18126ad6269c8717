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
    /** The fall of the share price that is told of. */
    price_id: bigint
    /** Members up to this one have been told. */
    told_to: bigint
    /** When all had been told. Null while some have not. */
    told_at: Date | null
  }
  /** What members paid into the fund and took out of it, for ever. USDT base units. */
  fund_member: {
    /** The member. */
    member_id: bigint
    /** All that was moved into the fund. */
    paid_in: bigint
    /** All that was moved out of the fund. */
    paid_out: bigint
  }
  /** Every change of the share price of the money fund. Amounts in USDT base units. */
  fund_price: {
    /** In the order of the changes. */
    id: GeneratedAlways<bigint>
    /** close: interest of a day. deficit: a loss that the reserve could not pay. */
    reason: 'close' | 'deficit'
    /** UTC day that was closed. */
    day: string | null
    /** The loan that the loss is of; null for the close of a day. */
    loan_no: string | null
    /** When the price changed, by our clock. */
    at: Date
    /** What the fund's members had together before. */
    assets_before: bigint
    /** What they had together after it. */
    assets_after: bigint
    /** How many shares there were, in base units. */
    shares: bigint
    /** Place among the postings of the ledger: shares with lower numbers were there before. */
    place: bigint
    /** What the reserve had. */
    reserve: bigint
  }
}
