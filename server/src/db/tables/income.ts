// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { Generated } from 'kysely'

export type IncomeTables = {
  /** Days whose revenue was shared. Amounts in HASH base units, days as "2026-01-31". */
  income_day: {
    day: string
    /** Deposited for this day. */
    revenue: bigint
    /** Left over by earlier days. */
    carried_in: bigint
    /** Over all plans. */
    total_units: bigint
    fee: bigint
    /** So far, while the day is being shared. */
    paid: Generated<bigint>
    accounts: Generated<bigint>
    /** Members up to this one have their share. */
    paid_to_member: Generated<bigint>
    opened_at: Date
    closed_at: Date | null
  }
  /** The terms that a day was shared on. Amounts in HASH base units. */
  income_day_plan: {
    day: string
    plan_id: bigint
    /** Millionths of the output that the platform kept. */
    fee_ppm: number
    units: bigint
    fee: bigint
  }
  /** Which deposit of revenue was shared on which day. */
  income_deposit: {
    chain_event_id: bigint
    day: string
  }
}
