// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { AssetCode } from '@candela/protocol/money/assets'
import type { Generated, GeneratedAlways } from 'kysely'

export type ReconcileTables = {
  /** Differences of comparisons that were taken into the books. */
  booked_difference: {
    /** The comparison that found it. */
    reconciliation_id: bigint
    /** Code of the asset: JU, USDT or HASH. */
    asset: AssetCode
    /** Found minus expected, in base units. Zero: a tolerated surplus that is gone was explained. */
    amount: bigint
    /** Why, in the operator's words. */
    note: string
    /** When the operator booked it. */
    booked_at: Date
  }
  /** Comparisons of the books with the chain. */
  reconciliation: {
    /** In the order of the comparisons. */
    id: GeneratedAlways<bigint>
    /** Block at which the contract was asked what it holds. */
    block_number: bigint
    /** Hash of that block. */
    block_hash: string
    /** When the comparison was made, by our clock. */
    at: Date
    /** Withdrawals wait because of this comparison. */
    paused: boolean
    /** What differs, in words; null when nothing does. */
    finding: string | null
    /** The compared block's own time; null for comparisons of before it was kept. */
    block_at: Date | null
    /** Nothing was found for which payouts would have to wait. */
    agrees: Generated<boolean>
  }
  /** Per asset: what the books say, and what the chain says. Base units. */
  reconciliation_line: {
    /** The comparison. */
    reconciliation_id: bigint
    /** Code of the asset: JU, USDT or HASH. */
    asset: AssetCode
    /** What the contract should hold, computed from the books at that block. */
    expected: bigint
    /** What the contract held at that block. */
    found: bigint
    /** Surplus that earlier comparisons have shown and nobody has booked, in base units: less than this is a loss. */
    tolerated: Generated<bigint>
    /** What members had there, less their debts; null for comparisons of before it was kept. Base units. */
    owed_members: bigint | null
    /** What belongs to somebody and was on no balance yet: payments under way, suspense, output that is not shared. Base units. */
    owed_unassigned: bigint | null
  }
  /** Booked surplus that was given to its owner, or to the desk. */
  surplus_assignment: {
    /** The transaction that brought the money, which no event of the contract tells of. */
    tx_hash: string
    /** Code of the asset: JU, USDT or HASH. */
    asset: AssetCode
    /** member: to the balance of member_id. desk: to the exchange desk. */
    target: 'member' | 'desk'
    /** Who got it; null where the desk did. */
    member_id: bigint | null
    /** In base units. */
    amount: bigint
    /** Why, in the operator's words. */
    note: string
    /** When the operator gave it. */
    assigned_at: Date
    /** Ours, in the order of giving. */
    id: GeneratedAlways<bigint>
  }
}
