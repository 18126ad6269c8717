// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { CollateralAsset } from '@candela/protocol/lending/choices'
import type { Generated, GeneratedAlways } from 'kysely'
import type { LocalizedText } from '../schema/json-columns.ts'

export type ProjectTables = {
  /** Loan products. Amounts in USDT base units. */
  project: {
    /** Ours, in the order of making. */
    id: GeneratedAlways<bigint>
    /** Number that members see. */
    project_no: string
    /** What members see, by language. */
    name: LocalizedText
    /** What members see, by language. */
    information: LocalizedText
    /** Code of the asset that it lends on. */
    collateral_asset: CollateralAsset
    /** The most that is lent at the same time. */
    total: bigint
    /** Principal that is lent now. */
    borrowed: Generated<bigint>
    /** Interest charged to its loans so far. */
    interest_earned: Generated<bigint>
    /** Millionths a year. */
    rate_ppm: number
    /** Millionths: highest mortgage rate of a new loan. */
    initial_ppm: number
    /** Millionths: mortgage rate of a margin call. */
    safety_ppm: number
    /** Millionths: mortgage rate of a liquidation. */
    clearing_ppm: number
    /** When the operator made it. */
    created_at: Date
    /** When it stopped to lend; null while it does. */
    closed_at: Date | null
    /** Where browsers load its picture from; null for none. */
    picture_url: string | null
  }
}
