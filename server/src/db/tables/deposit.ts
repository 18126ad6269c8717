// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { AssetCode } from '@candela/protocol/money/assets'
import type { GeneratedAlways } from 'kysely'

export type DepositTables = {
  /** Deposits that members announced. Amounts in base units. */
  deposit: {
    id: GeneratedAlways<bigint>
    deposit_no: string
    member_id: bigint
    asset: AssetCode
    /** What was announced; what came is in the payment. */
    amount: bigint
    created_at: Date
    /** Shown as lapsed once the chain is past this without it; a later payment still counts. */
    lapses_at: Date
  }
  /** To whose balance each payment went. */
  deposit_receipt: {
    chain_event_id: bigint
    member_id: bigint
    /** The announcement that it fulfilled; null for none. */
    deposit_id: bigint | null
    /** The time of the payment's block. */
    at: Date
  }
  /** To whom the operator gave money without an owner. Amounts in base units. */
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
