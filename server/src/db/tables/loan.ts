// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { CollateralAsset } from '@candela/protocol/credit/choices'
import type { LiquidationReason } from '@candela/protocol/credit/liquidation'
import type { Generated, GeneratedAlways } from 'kysely'
import type { LoanState } from '../schema/json-columns.ts'

export type LoanTables = {
  /** Terms, collateral and state of loans. Collateral in base units of its asset, other amounts in USDT base units. */
  loan: {
    id: GeneratedAlways<bigint>
    loan_no: string
    member_id: bigint
    kind: 'project' | 'lever'
    collateral_asset: CollateralAsset
    /** Millionths: highest mortgage rate at which collateral is released. */
    initial_ppm: number
    /** Millionths: mortgage rate of a margin call. */
    safety_ppm: number
    /** Millionths: mortgage rate of a liquidation. */
    clearing_ppm: number
    /** Millionths a day of the overdue amount. */
    late_ppm: number
    grace_days: number
    default_days: number
    liquidation_fee_ppm: number
    full_below: bigint
    installment_fee: bigint
    /** What was lent at the start. */
    lent: bigint
    opened_on: string
    due_on: string
    margin: bigint | null
    ratio_tenths: number | null
    bought: bigint | null
    buy_price: bigint | null
    state: LoanState
    collateral: bigint
    /** Upper bound of the price at which the clearing line is reached, USDT base units per whole unit. */
    watch_price: Generated<bigint>
    /** Upper bound of the price at which the safety line is reached, USDT base units per whole unit. */
    safety_price: Generated<bigint>
    /** Since when it is above its safety line. */
    warned_at: Date | null
    /** Due date that its borrower was reminded of last. */
    reminded_for: string | null
    created_at: Date
    closed_at: Date | null
    /** When the audit found it to be right after its end; it is not looked at each hour any more. */
    audited_at: Date | null
  }
  /** Progress of the daily charge of interest. */
  loan_day: {
    day: string
    /** Loans up to this id are charged. */
    to_loan: Generated<bigint>
    loans: Generated<bigint>
    interest: Generated<bigint>
    opened_at: Date
    closed_at: Date | null
  }
  /** What is owed on loans. USDT base units. The lock of a loan is its row here. */
  loan_debt: {
    loan_id: bigint
    /** That lent it; null of leveraged loans. */
    project_id: bigint | null
    /** Millionths a year. */
    rate_ppm: number
    /** Millionths of interest and late charges that go to the reserve. */
    reserve_ppm: number
    principal: bigint
    /** Since it was opened. */
    interest_charged: bigint
    interest_paid: Generated<bigint>
    /** Late charges since it was opened. */
    late_charged: Generated<bigint>
    late_paid: Generated<bigint>
    /** Interest is charged up to this UTC day. */
    interest_through: string
    /** UTC day of the oldest due amount that is not wholly paid; null when nothing is owed. */
    next_due_on: string | null
    /** The bounds of its prices include interest up to this UTC day. */
    watch_through: string
  }
  /** Amounts of loans that are due on days. USDT base units. */
  loan_due: {
    loan_id: bigint
    number: number
    due_on: string
    /** Without the handling fee; null for all that is left. */
    amount: bigint | null
    paid: Generated<bigint>
    fee: Generated<bigint>
    fee_paid: Generated<bigint>
    /** Late charges are charged up to this UTC day. */
    late_through: string | null
  }
  /** Liquidations with all figures that they were decided by. Amounts in base units. */
  loan_liquidation: {
    id: GeneratedAlways<bigint>
    liquidation_no: string
    loan_id: bigint
    reason: LiquidationReason
    is_full: boolean
    principal: bigint
    interest: bigint
    charges: bigint
    collateral: bigint
    watch_price: bigint
    sale_price: bigint
    spot: bigint
    average_5: bigint
    average_30: bigint
    pair: string
    block_number: bigint
    observed_at: Date
    desk_usdt: bigint
    sold: bigint
    proceeds: bigint
    repaid: bigint
    fee: bigint
    returned: bigint
    shortfall: bigint
    reserve_paid: bigint
    fund_lost: bigint
    is_incomplete: boolean
    at: Date
    /** What decides about a line. Null for sales before this column: there it was the higher of spot and 5-minute average. */
    median_5: bigint | null
    /** Null for sales before this column, which the average of a day did not bound. */
    average_day: bigint | null
  }
  /** What was done to the debts of loans, in the order in which it counts. USDT base units. Old steps are deleted. */
  loan_step: {
    id: GeneratedAlways<bigint>
    loan_id: bigint
    /** When it counts: of a payment on chain, the time of its block. */
    at: Date
    /** The UTC day up to which the loan was charged for it. */
    day: string
    kind: 'opened' | 'payment' | 'sale' | 'schedule'
    /** Who gets back what a payment need not pay; null: the reserve. */
    payer_id: bigint | null
    /** Late charges that it paid. */
    charges: Generated<bigint>
    /** Handling fees that it paid. */
    fees: Generated<bigint>
    /** Interest that it paid. */
    interest: Generated<bigint>
    /** Principal that it paid. */
    principal: Generated<bigint>
    /** Installments that the loan was turned into. */
    count: number | null
    /** The debt and its due amounts after it. */
    standing: unknown
  }
  /** Since when a sale or a margin call is held back while the price of the collateral moves. */
  loan_wait: {
    loan_id: bigint
    /** Why it would be sold; a default with the day on which the amount was due. */
    cause: string
    since: Date
  }
  /** Loans with what is owed on them. */
  loan_with_debt: {
    id: bigint
    loan_no: string
    member_id: bigint
    kind: 'project' | 'lever'
    collateral_asset: CollateralAsset
    initial_ppm: number
    safety_ppm: number
    clearing_ppm: number
    late_ppm: number
    grace_days: number
    default_days: number
    liquidation_fee_ppm: number
    full_below: bigint
    installment_fee: bigint
    lent: bigint
    opened_on: string
    due_on: string
    margin: bigint | null
    ratio_tenths: number | null
    bought: bigint | null
    buy_price: bigint | null
    state: LoanState
    collateral: bigint
    watch_price: bigint
    safety_price: bigint
    warned_at: Date | null
    reminded_for: string | null
    created_at: Date
    closed_at: Date | null
    project_id: bigint | null
    rate_ppm: number
    reserve_ppm: number
    principal: bigint
    interest_charged: bigint
    interest_paid: bigint
    late_charged: bigint
    late_paid: bigint
    interest_through: string
    next_due_on: string | null
    watch_through: string
  }
}
