// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { Generated } from 'kysely'

export type IncomeTables = {
  /** Days whose revenue was shared. Amounts in HASH base units, days as "2026-01-31". */
  income_day: {
    /** The UTC day that was shared. */
    day: string
    /** Deposited for this day. */
    revenue: bigint
    /** Left over by earlier days. */
    carried_in: bigint
    /** Over all plans. */
    total_units: bigint
    /** What the platform kept. */
    fee: bigint
    /** So far, while the day is being shared. */
    paid: Generated<bigint>
    /** How many members have got a share so far. */
    accounts: Generated<bigint>
    /** Members up to this one have their share. */
    paid_to_member: Generated<bigint>
    /** When sharing began, by our clock. */
    opened_at: Date
    /** When everybody had a share; null before. */
    closed_at: Date | null
  }
  /** The terms that a day was shared on. Amounts in HASH base units. */
  income_day_plan: {
    /** The UTC day that was shared. */
    day: string
    /** The plan. */
    plan_id: bigint
    /** Millionths of the output that the platform kept. */
    fee_ppm: number
    /** Units of the plan that earned on the day. */
    units: bigint
    /** What the platform kept of the plan's part. */
    fee: bigint
  }
  /** Which deposit of revenue was shared on which day. */
  income_deposit: {
    /** The payment of revenue. */
    chain_event_id: bigint
    /** The UTC day on which it was shared. */
    day: string
  }
}
