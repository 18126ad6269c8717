// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { AssetCode } from '@candela/protocol/money/assets'
import type { Generated, GeneratedAlways } from 'kysely'

export type DepositTables = {
  /** Deposits that members announced. Amounts in base units. */
  deposit: {
    /** In the order of the announcements. */
    id: GeneratedAlways<bigint>
    /** Number that the member sees and the payment names. */
    deposit_no: string
    /** Who announced it. */
    member_id: bigint
    /** Code of the announced asset: JU, USDT or HASH. */
    asset: AssetCode
    /** What was announced; what came is in the payment. */
    amount: bigint
    /** When it was announced, by our clock. */
    created_at: Date
    /** Shown as lapsed once the chain is past this without it; a later payment still counts. */
    lapses_at: Date
  }
  /** To whose balance each payment went. */
  deposit_receipt: {
    /** The payment. */
    chain_event_id: bigint
    /** Whose balance it went to. */
    member_id: bigint
    /** The announcement that it fulfilled; null for none. */
    deposit_id: bigint | null
    /** The time of the payment's block. */
    at: Date
  }
  /** How far announcements that nobody paid were swept. One row. */
  deposit_sweep: {
    /** Always true: there is one row. */
    only_row: Generated<boolean>
    /** Of those that lapsed until then only those that were paid are left. */
    up_to: Date
  }
  /** Payments of less than a step, and by which posting each was booked. Kept by what the chain says, so that it outlives our records of the chain. */
  dust_payment: {
    /** Hash of the transaction that paid. */
    tx_hash: string
    /** As in chain_event. */
    tx_position: number
    /** Whose balance it is for; null for suspense. */
    member_id: bigint | null
    /** Code of the asset: JU, USDT or HASH. */
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
    /** ledger_posting.id of the sum. */
    posting_id: string
    /** Whose balance it went to; null for suspense. */
    member_id: bigint | null
    /** Code of the asset: JU, USDT or HASH. */
    asset: AssetCode
    /** Base units. */
    amount: bigint
    /** How many payments are in the sum. */
    payments: number
    /** The UTC day of the blocks of its payments. */
    day: string
    /** When an operator gave it out of suspense. */
    given_at: Date | null
  }
  /** To whom the operator gave money without an owner. Amounts in base units. */
  suspense_assignment: {
    /** Hash of the transaction that paid. */
    tx_hash: string
    /** As in chain_event. */
    tx_position: number
    /** Code of the asset: JU, USDT or HASH. */
    asset: AssetCode
    /** What was given away: the whole payment. */
    amount: bigint
    /** member: to the balance of member_id. desk: to the exchange desk. */
    target: 'member' | 'desk'
    /** Who got it; null where the desk did. */
    member_id: bigint | null
    /** When the operator gave it. */
    assigned_at: Date
  }
}
