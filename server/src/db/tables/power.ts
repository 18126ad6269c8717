// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { Generated, GeneratedAlways } from 'kysely'
import type { LocalizedText } from '../schema/json-columns.ts'

export type PowerOrderState = 'pending' | 'active' | 'expired' | 'cancelled' | 'late' | 'mismatch' | 'soldOut'

export type PowerTables = {
  /** Active power of each member that ever had some. */
  member_power: {
    /** Whose power it is. */
    member_id: bigint
    /** Units that earn now. */
    active_units: bigint
    /** Confirmed purchases, USDT base units. */
    purchased_usdt: Generated<bigint>
  }
  /** Changes of members' active power. */
  power_log: {
    /** In the order of the changes. */
    id: GeneratedAlways<bigint>
    /** Whose power changed. */
    member_id: bigint
    /** The order by which it changed. */
    order_id: bigint
    /** activated: the order was paid. expired: its term is over. */
    kind: 'activated' | 'expired'
    /** Signed change. */
    units: bigint
    /** Active power after it. */
    total: bigint
    /** When it changed: the time that the change counts from. */
    at: Date
  }
  /** Orders of computing power. Money in base units, power in whole units, days as "2026-01-31". */
  power_order: {
    /** In the order of ordering. */
    id: GeneratedAlways<bigint>
    /** Number that the member sees and the payment names. */
    order_no: string
    /** Who ordered. */
    member_id: bigint
    /** What was ordered. */
    plan_id: bigint
    /** How many units. */
    units: bigint
    /** Worth of the order: units at the plan's price, in USDT base units. */
    cost_usdt: bigint
    /** Code of the asset that it is paid with. */
    asset: 'JU' | 'USDT'
    /** What has to be paid, in base units of the asset. */
    payable: bigint
    /** USDT base units per whole unit of `asset`. */
    price: bigint
    /** pending until it is paid; active while it earns, expired after its term; cancelled, late, mismatch, soldOut: nothing was bought. */
    state: Generated<PowerOrderState>
    /** When it was made, by our clock. */
    created_at: Date
    /** Until when it is to be paid, as the member was told. */
    pay_before: Date
    /** After this an unpaid order is no longer matched. */
    watch_until: Date
    /** How many days it earns. */
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
    /** Number that the endpoints name it by. */
    id: GeneratedAlways<bigint>
    /** What members see, by language. */
    name: LocalizedText
    /** What members see, by language. */
    description: LocalizedText
    /** Name of the unit, such as "T". */
    unit: string
    /** USDT per unit. */
    unit_price: bigint
    /** How many days an order earns. */
    term_days: number
    /** The fewest units of an order. */
    min_units: bigint
    /** The most units of an order. */
    max_units: bigint
    /** How many units are sold at most. */
    total_units: bigint
    /** Neither sold nor reserved. */
    units_left: bigint
    /** Millionths of the output that the platform keeps. */
    service_fee_ppm: number
    /** When the operator made it. */
    created_at: Date
    /** When the operator ended its sale; null while it is sold. */
    closed_at: Date | null
    /** Set aside for unpaid orders: the units of those with is_reserved. */
    units_reserved: Generated<bigint>
    /** Where browsers load its picture from; null for none. */
    picture_url: string | null
  }
  /** Changes of the active power of all members, in whole units; their sum is the power. */
  power_total: {
    /** Units that were added, or taken away; sums of these once they were added up. */
    change: bigint
    /** Ours, without a meaning. */
    id: GeneratedAlways<bigint>
  }
}
