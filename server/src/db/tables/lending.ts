// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { CollateralAsset } from '@candela/protocol/lending/choices'
import type { LiquidationReason } from '@candela/protocol/lending/liquidation'
import type { Generated, GeneratedAlways } from 'kysely'
import type { LoanState, LocalizedText } from '../schema/json-columns.ts'

export type LendingTables = {
  /** Changes of the principal that leveraged loans owe on each collateral; their sum by asset is what is owed. USDT base units. */
  lever_total: {
    /** Ours, without a meaning. */
    id: GeneratedAlways<bigint>
    /** Code of the asset that secures the loans. */
    collateral_asset: 'JU' | 'HASH'
    /** What was lent; negative for what was paid back or written off. Sums of these once they were added up. */
    change: bigint
  }
  /** Terms, collateral and state of loans. Collateral in base units of its asset, other amounts in USDT base units. */
  loan: {
    /** Ours, in the order of opening; accounts of the ledger are numbered by it. */
    id: GeneratedAlways<bigint>
    /** Number that the member sees and a payment names. */
    loan_no: string
    /** Who borrowed. */
    member_id: bigint
    /** project: lent by a project on collateral that the member had. lever: collateral was bought at the desk with what was lent. */
    kind: 'project' | 'lever'
    /** Code of the asset that secures it. */
    collateral_asset: CollateralAsset
    /** Millionths: highest mortgage rate at which collateral is released. */
    initial_ppm: number
    /** Millionths: mortgage rate of a margin call. */
    safety_ppm: number
    /** Millionths: mortgage rate of a liquidation. */
    clearing_ppm: number
    /** Millionths a day of the overdue amount. */
    late_ppm: number
    /** Days after a due day without late charges; after them the collateral of a leveraged loan is sold. */
    grace_days: number
    /** So many days after a due day collateral is sold for what was not paid. */
    default_days: number
    /** Millionths of what a liquidation repays, which the platform takes beside it. */
    liquidation_fee_ppm: number
    /** When less is owed, a liquidation repays everything, else half. USDT base units. */
    full_below: bigint
    /** Handling fee of each installment. USDT base units. */
    installment_fee: bigint
    /** What was lent at the start. */
    lent: bigint
    /** UTC day on which it was opened. */
    opened_on: string
    /** UTC day on which everything is due. */
    due_on: string
    /** What the member paid of a leveraged loan. USDT base units; null for other loans. */
    margin: bigint | null
    /** Margin and loan together over the margin, in tenths; null for other loans. */
    ratio_tenths: number | null
    /** What was bought with margin and loan, in base units of the collateral; null for other loans. */
    bought: bigint | null
    /** What a whole unit cost at the desk. USDT base units; null for other loans. */
    buy_price: bigint | null
    /** active, installment (it is paid in parts), overdue, liquidating; repaid, liquidated, written-off: it is over. */
    state: LoanState
    /** What secures it now, in base units of the collateral. */
    collateral: bigint
    /** Upper bound of the price at which the clearing line is reached, USDT base units per whole unit. */
    watch_price: Generated<bigint>
    /** Upper bound of the price at which the safety line is reached, USDT base units per whole unit. */
    safety_price: Generated<bigint>
    /** Since when it is above its safety line. */
    warned_at: Date | null
    /** Due date that its borrower was reminded of last. */
    reminded_for: string | null
    /** When it was opened, by our clock. */
    created_at: Date
    /** When it was over; null before. */
    closed_at: Date | null
    /** When the audit found it to be right after its end; it is not looked at each hour any more. */
    audited_at: Date | null
  }
  /** Progress of the daily charge of interest. */
  loan_day: {
    /** The UTC day whose interest is charged. */
    day: string
    /** Loans up to this id are charged. */
    to_loan: Generated<bigint>
    /** How many loans were charged so far. */
    loans: Generated<bigint>
    /** What they were charged together. USDT base units. */
    interest: Generated<bigint>
    /** When charging began, by our clock. */
    opened_at: Date
    /** When all loans were charged; null before. */
    closed_at: Date | null
  }
  /** What is owed on loans. USDT base units. The lock of a loan is its row here. */
  loan_debt: {
    /** The loan. */
    loan_id: bigint
    /** The project that lent it; null of leveraged loans. */
    project_id: bigint | null
    /** Millionths a year. */
    rate_ppm: number
    /** Millionths of interest and late charges that go to the reserve. */
    reserve_ppm: number
    /** What was lent and is not paid back. */
    principal: bigint
    /** Interest charged since it was opened. */
    interest_charged: bigint
    /** What was paid of the interest since it was opened. */
    interest_paid: Generated<bigint>
    /** Late charges since it was opened. */
    late_charged: Generated<bigint>
    /** What was paid of the late charges since it was opened. */
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
    /** The loan. */
    loan_id: bigint
    /** From 1, in the order of their days. */
    number: number
    /** UTC day on which it is due. */
    due_on: string
    /** Without the handling fee; null for all that is left. */
    amount: bigint | null
    /** What was paid of the amount. */
    paid: Generated<bigint>
    /** Handling fee that is due with it. */
    fee: Generated<bigint>
    /** What was paid of the fee. */
    fee_paid: Generated<bigint>
    /** Late charges are charged up to this UTC day. */
    late_through: string | null
  }
  /** Liquidations with all figures that they were decided by. Amounts in base units. */
  loan_liquidation: {
    /** In the order of the sales. */
    id: GeneratedAlways<bigint>
    /** Number that the member sees. */
    liquidation_no: string
    /** The loan whose collateral was sold. */
    loan_id: bigint
    /** line: the price reached the clearing line. default: an amount was not paid for too long. term: the term of a leveraged loan was over. */
    reason: LiquidationReason
    /** True when everything that was owed was to be repaid, false for half of it. */
    is_full: boolean
    /** What was lent and not paid back before it. USDT base units. */
    principal: bigint
    /** Interest that was owed before it. USDT base units. */
    interest: bigint
    /** Late charges that were owed before it. USDT base units. */
    charges: bigint
    /** Collateral before it, in base units of its asset. */
    collateral: bigint
    /** The price that decided. USDT base units per whole unit. */
    watch_price: bigint
    /** The price that the desk paid. USDT base units per whole unit. */
    sale_price: bigint
    /** The pair's price at the block. USDT base units per whole unit. */
    spot: bigint
    /** Average of five minutes. USDT base units per whole unit. */
    average_5: bigint
    /** Average of half an hour. USDT base units per whole unit. */
    average_30: bigint
    /** Address of the exchange pair that was observed. */
    pair: string
    /** Number of the block at which the pair was read. */
    block_number: bigint
    /** The own time of that block. */
    observed_at: Date
    /** What the desk could pay. USDT base units. */
    desk_usdt: bigint
    /** Collateral that was sold, in base units of its asset. */
    sold: bigint
    /** What the desk paid for it. USDT base units. */
    proceeds: bigint
    /** What of it went to the debt. USDT base units. */
    repaid: bigint
    /** What of it the platform kept. USDT base units. */
    fee: bigint
    /** Collateral that went back to the member, in base units of its asset. */
    returned: bigint
    /** What nobody paid of the debt once all collateral was gone. USDT base units. */
    shortfall: bigint
    /** What the reserve paid of the shortfall. USDT base units. */
    reserve_paid: bigint
    /** What the members of the fund bore of it. USDT base units. */
    fund_lost: bigint
    /** True when the desk could not pay for all that had to be sold. */
    is_incomplete: boolean
    /** When it was sold, by our clock. */
    at: Date
    /** What decides about a line. Null for sales before this column: there it was the higher of spot and 5-minute average. */
    median_5: bigint | null
    /** Null for sales before this column, which the average of a day did not bound. */
    average_day: bigint | null
    /** Block of the observation with which average_5 and median_5 begin; null before that was kept. */
    block_5: bigint | null
    /** Block of the observation with which average_30 begins; null before that was kept. */
    block_30: bigint | null
    /** Block of the observation with which average_day begins; null before that was kept. */
    block_day: bigint | null
  }
  /** What was done to the debts of loans, in the order in which it counts. USDT base units. Old steps are deleted. */
  loan_step: {
    /** In the order of writing. */
    id: GeneratedAlways<bigint>
    /** The loan. */
    loan_id: bigint
    /** When it counts: of a payment on chain, the time of its block. */
    at: Date
    /** The UTC day up to which the loan was charged for it. */
    day: string
    /** opened, payment, sale of collateral, or schedule (it became one of installments). */
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
    /** The loan. */
    loan_id: bigint
    /** Why it would be sold; a default with the day on which the amount was due. */
    cause: string
    /** When holding it back began, by our clock. */
    since: Date
  }
  /** Loans with what is owed on them. */
  loan_with_debt: {
    /** Ours, in the order of opening; accounts of the ledger are numbered by it. */
    id: bigint
    /** Number that the member sees and a payment names. */
    loan_no: string
    /** Who borrowed. */
    member_id: bigint
    /** project: lent by a project on collateral that the member had. lever: collateral was bought at the desk with what was lent. */
    kind: 'project' | 'lever'
    /** Code of the asset that secures it. */
    collateral_asset: CollateralAsset
    /** Millionths: highest mortgage rate at which collateral is released. */
    initial_ppm: number
    /** Millionths: mortgage rate of a margin call. */
    safety_ppm: number
    /** Millionths: mortgage rate of a liquidation. */
    clearing_ppm: number
    /** Millionths a day of the overdue amount. */
    late_ppm: number
    /** Days after a due day without late charges; after them the collateral of a leveraged loan is sold. */
    grace_days: number
    /** So many days after a due day collateral is sold for what was not paid. */
    default_days: number
    /** Millionths of what a liquidation repays, which the platform takes beside it. */
    liquidation_fee_ppm: number
    /** When less is owed, a liquidation repays everything, else half. USDT base units. */
    full_below: bigint
    /** Handling fee of each installment. USDT base units. */
    installment_fee: bigint
    /** What was lent at the start. */
    lent: bigint
    /** UTC day on which it was opened. */
    opened_on: string
    /** UTC day on which everything is due. */
    due_on: string
    /** What the member paid of a leveraged loan. USDT base units; null for other loans. */
    margin: bigint | null
    /** Margin and loan together over the margin, in tenths; null for other loans. */
    ratio_tenths: number | null
    /** What was bought with margin and loan, in base units of the collateral; null for other loans. */
    bought: bigint | null
    /** What a whole unit cost at the desk. USDT base units; null for other loans. */
    buy_price: bigint | null
    /** active, installment (it is paid in parts), overdue, liquidating; repaid, liquidated, written-off: it is over. */
    state: LoanState
    /** What secures it now, in base units of the collateral. */
    collateral: bigint
    /** Upper bound of the price at which the clearing line is reached, USDT base units per whole unit. */
    watch_price: bigint
    /** Upper bound of the price at which the safety line is reached, USDT base units per whole unit. */
    safety_price: bigint
    /** Since when it is above its safety line. */
    warned_at: Date | null
    /** Due date that its borrower was reminded of last. */
    reminded_for: string | null
    /** When it was opened, by our clock. */
    created_at: Date
    /** When it was over; null before. */
    closed_at: Date | null
    /** The project that lent it; null of leveraged loans. */
    project_id: bigint | null
    /** Millionths a year. */
    rate_ppm: number
    /** Millionths of interest and late charges that go to the reserve. */
    reserve_ppm: number
    /** What was lent and is not paid back. */
    principal: bigint
    /** Interest charged since it was opened. */
    interest_charged: bigint
    /** What was paid of the interest since it was opened. */
    interest_paid: bigint
    /** Late charges since it was opened. */
    late_charged: bigint
    /** What was paid of the late charges since it was opened. */
    late_paid: bigint
    /** Interest is charged up to this UTC day. */
    interest_through: string
    /** UTC day of the oldest due amount that is not wholly paid; null when nothing is owed. */
    next_due_on: string | null
    /** The bounds of its prices include interest up to this UTC day. */
    watch_through: string
  }
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
