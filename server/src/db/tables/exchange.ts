import type { AssetCode } from '@candela/protocol/money/assets'
import type { Data } from '@candela/protocol/endpoints'
import type { ColumnType, GeneratedAlways } from 'kysely'

/** Both prices with what they were chosen from, as the API gives them. */
export type DeskPrices = Data<'POST exchange/quote'>['prices']

type Terms = {
  from_asset: AssetCode
  to_asset: AssetCode
  amount_in: bigint
  /** USDT base units per whole unit. */
  from_price: bigint
  to_price: bigint
  evidence: ColumnType<DeskPrices, string, never>
  base_fee_ppm: number
  /** Percent. */
  discount: number
  level: number
  fee_ppm: number
  amount_out: bigint
  fee: bigint
}

/** What the desk promised and did, and where money from suspense went. Amounts in base units. */
export type ExchangeTables = {
  exchange_quote: Terms & {
    id: GeneratedAlways<bigint>
    quote_no: string
    member_id: bigint
    created_at: Date
    expires_at: Date
  }
  exchange: Terms & {
    id: GeneratedAlways<bigint>
    exchange_no: string
    quote_id: bigint
    member_id: bigint
    quoted_out: bigint
    min_received: bigint
    created_at: Date
  }
  suspense_assignment: {
    tx_hash: string
    tx_position: number
    asset: AssetCode
    amount: bigint
    target: 'member' | 'desk'
    member_id: bigint | null
    assigned_at: Date
  }
}
