// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { AssetCode } from '@candela/protocol/money/assets'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { DeskPrices } from '../schema/json-columns.ts'

export type ExchangeTables = {
  /** What the desk took of each asset less what it gave, for a little more than an hour. */
  desk_flow: {
    /** Code of the asset: JU, USDT or HASH. */
    asset: AssetCode
    /** The minute's begin. */
    minute: Date
    /** Worth in USDT base units, at the prices of each exchange. Negative: it gave more. */
    net: bigint
  }
  /** What the exchange desk did. Amounts in base units. */
  exchange: {
    /** In the order of the exchanges. */
    id: GeneratedAlways<bigint>
    /** Number that the member sees. */
    exchange_no: string
    /** The quote that was accepted. */
    quote_id: bigint
    /** Whose balances were exchanged. */
    member_id: bigint
    /** Code of the asset that was given. */
    from_asset: AssetCode
    /** Code of the asset that was received. */
    to_asset: AssetCode
    /** What was given, in base units of from_asset. */
    amount_in: bigint
    /** USDT base units per whole unit. */
    from_price: bigint
    /** USDT base units per whole unit. */
    to_price: bigint
    /** What both prices were chosen from, as the API gives it. */
    evidence: ColumnType<DeskPrices, string, never>
    /** Fee before the discount, in millionths. */
    base_fee_ppm: number
    /** Percent. */
    discount: number
    /** Level of the member that the discount is for, from 0. */
    level: number
    /** Millionths. */
    fee_ppm: number
    /** What was received after the fee, in base units of to_asset. */
    amount_out: bigint
    /** What the desk kept, in base units of to_asset. */
    fee: bigint
    /** What the quote said would be received, in base units of to_asset. */
    quoted_out: bigint
    /** The least that the member agreed to, in base units of to_asset. */
    min_received: bigint
    /** When it was done, by our clock. */
    created_at: Date
  }
  /** What the exchange desk promised. Amounts in base units. */
  exchange_quote: {
    /** In the order of the quotes. */
    id: GeneratedAlways<bigint>
    /** Number by which the member accepts it. */
    quote_no: string
    /** Who asked. */
    member_id: bigint
    /** Code of the asset to be given. */
    from_asset: AssetCode
    /** Code of the asset to be received. */
    to_asset: AssetCode
    /** What would be given, in base units of from_asset. */
    amount_in: bigint
    /** USDT base units per whole unit. */
    from_price: bigint
    /** USDT base units per whole unit. */
    to_price: bigint
    /** What both prices were chosen from, as the API gives it. */
    evidence: ColumnType<DeskPrices, string, never>
    /** Fee before the discount, in millionths. */
    base_fee_ppm: number
    /** Percent. */
    discount: number
    /** Level of the member that the discount is for, from 0. */
    level: number
    /** Millionths. */
    fee_ppm: number
    /** What would be received after the fee, in base units of to_asset. */
    amount_out: bigint
    /** What the desk would keep, in base units of to_asset. */
    fee: bigint
    /** When it was asked for, by our clock. */
    created_at: Date
    /** Until when it can be accepted. */
    expires_at: Date
  }
  /** How far unused quotes were swept. One row. */
  exchange_quote_sweep: {
    /** Always true: there is one row. */
    only_row: Generated<boolean>
    /** Of the quotes that expired until then only those that were used are left. */
    up_to: Date
  }
}
