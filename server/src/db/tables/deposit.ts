import type { AssetCode } from '@candela/protocol/money/assets'
import type { GeneratedAlways } from 'kysely'

/** Announced deposits, and whose balance each payment went to. Amounts in base units. */
export type DepositTables = {
  deposit: {
    id: GeneratedAlways<bigint>
    deposit_no: string
    member_id: bigint
    asset: AssetCode
    amount: bigint
    created_at: Date
    /** Shown as lapsed once the chain is past this without it; a later payment still counts. */
    lapses_at: Date
  }
  deposit_receipt: { chain_event_id: bigint; member_id: bigint; deposit_id: bigint | null }
}
