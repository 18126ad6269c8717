// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { AssetCode } from '@candela/protocol/money/assets'
import type { GeneratedAlways } from 'kysely'

export type ReconcileTables = {
  /** Comparisons of the books with the chain. */
  reconciliation: {
    id: GeneratedAlways<bigint>
    block_number: bigint
    block_hash: string
    at: Date
    /** Withdrawals wait because of this comparison. */
    paused: boolean
    /** What differs, in words; null when nothing does. */
    finding: string | null
    /** The compared block's own time; null for comparisons of before it was kept. */
    block_at: Date | null
  }
  /** Per asset: what the books say, and what the chain says. Base units. */
  reconciliation_line: {
    reconciliation_id: bigint
    asset: AssetCode
    expected: bigint
    found: bigint
  }
}
