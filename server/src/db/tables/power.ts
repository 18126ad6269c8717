import type { Generated, GeneratedAlways } from 'kysely'

type LocalizedText = { zh: string; tw: string; en: string }

/** Plans and orders of computing power. Money in base units, power in whole units, days as "2026-01-31". */
export type PowerTables = {
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
  }
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
    state: Generated<'pending' | 'active' | 'expired' | 'cancelled' | 'late' | 'mismatch'>
    created_at: Date
    pay_before: Date
    watch_until: Date
    term_days: number
    settled_at: Date | null
    starts_on: string | null
    ends_on: string | null
    /** `chain_event.id` of the payment that settled the order. */
    chain_event_id: bigint | null
  }
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
  member_power: {
    member_id: bigint
    active_units: bigint
    /** Confirmed purchases, USDT base units. */
    purchased_usdt: Generated<bigint>
  }
}
