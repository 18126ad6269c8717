// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { Generated, GeneratedAlways } from 'kysely'
import type { LocalizedText } from '../schema/json-columns.ts'

export type PowerOrderState = 'pending' | 'active' | 'expired' | 'cancelled' | 'late' | 'mismatch' | 'soldOut'

export type PowerTables = {
  /** Active power of each member that ever had some. */
  member_power: {
    member_id: bigint
    active_units: bigint
    /** Confirmed purchases, USDT base units. */
    purchased_usdt: Generated<bigint>
  }
  /** Changes of members' active power. */
  power_log: {
    id: GeneratedAlways<bigint>
    member_id: bigint
    order_id: bigint
    kind: 'activated' | 'expired'
    /** Signed change. */
    units: bigint
    /** Active power after it. */
    total: bigint
    at: Date
  }
  /** Orders of computing power. Money in base units, power in whole units, days as "2026-01-31". */
  power_order: {
    id: GeneratedAlways<bigint>
    order_no: string
    member_id: bigint
    plan_id: bigint
    units: bigint
    cost_usdt: bigint
    asset: 'JU' | 'USDT'
    payable: bigint
    /** USDT base units per whole unit of `asset`. */
    price: bigint
    state: Generated<PowerOrderState>
    created_at: Date
    pay_before: Date
    /** After this an unpaid order is no longer matched. */
    watch_until: Date
    term_days: number
    /** When it left the state pending. */
    settled_at: Date | null
    /** First UTC day that earns. */
    starts_on: string | null
    /** Last UTC day that earns. */
    ends_on: string | null
    /** The payment that settled the order. */
    chain_event_id: bigint | null
    /** Whether units of the plan are set aside for it: while it waits for its payment, if they were when it was made. */
    is_reserved: Generated<boolean>
  }
  /** Plans of computing power. Money in base units, power in whole units. */
  power_plan: {
    id: GeneratedAlways<bigint>
    name: LocalizedText
    description: LocalizedText
    /** Name of the unit, such as "T". */
    unit: string
    /** USDT per unit. */
    unit_price: bigint
    term_days: number
    min_units: bigint
    max_units: bigint
    total_units: bigint
    /** Neither sold nor reserved. */
    units_left: bigint
    /** Millionths of the output that the platform keeps. */
    service_fee_ppm: number
    created_at: Date
    closed_at: Date | null
    /** Set aside for unpaid orders: the units of those with is_reserved. */
    units_reserved: Generated<bigint>
    /** Where browsers load its picture from; null for none. */
    picture_url: string | null
  }
  /** Changes of the active power of all members, in whole units; their sum is the power. */
  power_total: {
    change: bigint
    id: GeneratedAlways<bigint>
  }
}
