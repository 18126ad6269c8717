// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { AssetCode } from '@candela/protocol/money/assets'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { DeskPrices } from '../schema/json-columns.ts'

export type ExchangeTables = {
  /** What the desk took of each asset less what it gave, for a little more than an hour. */
  desk_flow: {
    asset: AssetCode
    /** The minute's begin. */
    minute: Date
    /** Worth in USDT base units, at the prices of each exchange. Negative: it gave more. */
    net: bigint
  }
  /** What the exchange desk did. Amounts in base units. */
  exchange: {
    id: GeneratedAlways<bigint>
    exchange_no: string
    quote_id: bigint
    member_id: bigint
    from_asset: AssetCode
    to_asset: AssetCode
    amount_in: bigint
    /** USDT base units per whole unit. */
    from_price: bigint
    /** USDT base units per whole unit. */
    to_price: bigint
    /** What both prices were chosen from, as the API gives it. */
    evidence: ColumnType<DeskPrices, string, never>
    base_fee_ppm: number
    /** Percent. */
    discount: number
    level: number
    /** Millionths. */
    fee_ppm: number
    amount_out: bigint
    fee: bigint
    quoted_out: bigint
    min_received: bigint
    created_at: Date
  }
  /** What the exchange desk promised. Amounts in base units. */
  exchange_quote: {
    id: GeneratedAlways<bigint>
    quote_no: string
    member_id: bigint
    from_asset: AssetCode
    to_asset: AssetCode
    amount_in: bigint
    /** USDT base units per whole unit. */
    from_price: bigint
    /** USDT base units per whole unit. */
    to_price: bigint
    /** What both prices were chosen from, as the API gives it. */
    evidence: ColumnType<DeskPrices, string, never>
    base_fee_ppm: number
    /** Percent. */
    discount: number
    level: number
    /** Millionths. */
    fee_ppm: number
    amount_out: bigint
    fee: bigint
    created_at: Date
    expires_at: Date
  }
  /** How far unused quotes were swept. One row. */
  exchange_quote_sweep: {
    only_row: Generated<boolean>
    /** Of the quotes that expired until then only those that were used are left. */
    up_to: Date
  }
}
