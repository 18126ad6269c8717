// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { AssetCode } from '@candela/protocol/money/assets'
import type { Generated, GeneratedAlways } from 'kysely'

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
  /** How far announcements that nobody paid were swept. One row. */
  deposit_sweep: {
    only_row: Generated<boolean>
    /** Of those that lapsed until then only those that were paid are left. */
    up_to: Date
  }
  /** Payments of less than a step, and by which posting each was booked. Kept by what the chain says, so that it outlives our records of the chain. */
  dust_payment: {
    tx_hash: string
    tx_position: number
    /** Whose balance it is for; null for suspense. */
    member_id: bigint | null
    asset: AssetCode
    /** Base units. */
    amount: bigint
    /** The UTC day of its block. */
    day: string
    /** Of the ledger; null while it waits for the sum of its day. */
    posting_id: string | null
    /** It was among the first of the day, and booked by itself. */
    is_single: boolean
  }
  /** What was booked of dust in one sum of a recipient, asset and UTC day; its payments are in dust_payment. */
  dust_sum: {
    posting_id: string
    /** Whose balance it went to; null for suspense. */
    member_id: bigint | null
    asset: AssetCode
    /** Base units. */
    amount: bigint
    payments: number
    day: string
    /** When an operator gave it out of suspense. */
    given_at: Date | null
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
