/** Loans as the service would have made them on one day, written by statements over sets. */
import { WHOLE_UNIT } from '@candela/protocol/units'
import { type Database, transaction } from '@candela/server/db/open'
import { loanAccountNumbers, platformAccount } from '@candela/server/ledger/chart'
import { createProject } from '@candela/server/modules/lending/project/manage-projects'
import { sql } from 'kysely'

/** All loans lend 1,000 USDT for 360 days; each has a little more collateral than the one before, so that they reach lines one by one. */
const LENT = 1_000n * WHOLE_UNIT
const COLLATERAL = 1_000n * WHOLE_UNIT
/** The interest of a day. */
export const INTEREST = 250_000_000_000_000_000n
const RATE = 91_250
/** Millionths. */
export const SAFETY = 700_000n
export const CLEARING = 800_000n

export type Loans = {
  loans: number
  /** How many of them are leveraged; by default none. */
  levers?: number
  /** The loans are spread over so many members in a row. */
  firstMember: bigint
  members: number
  /** The day before has none of them. */
  openedOn: string
}

/** Loans on JU, those of one project but for the leveraged ones; their bounds are computed again on different days. */
export async function addLoans(db: Database, { loans, levers = 0, firstMember, members, openedOn }: Loans) {
  const name = { zh: '借款', tw: '借款', en: 'Loan' }
  const lines = { rate: RATE, initialRate: 500_000, safetyLine: Number(SAFETY), clearingLine: Number(CLEARING) }
  const total = 10n ** 12n * WHOLE_UNIT
  const project = { name, information: name, collateral: 'JU' as const, total, ...lines }
  await transaction(db, (tx) => createProject(tx, 'BENCHPROJECT', project, new Date(`${openedOn}T12:00:00Z`)))
  const step = (COLLATERAL * 4n) / BigInt(loans)
  await sql`
    insert into loan (loan_no, member_id, kind, collateral_asset, initial_ppm, safety_ppm, clearing_ppm, late_ppm, grace_days,
      default_days, liquidation_fee_ppm, full_below, installment_fee, lent, opened_on, due_on, state, collateral, watch_price,
      safety_price, created_at, margin, ratio_tenths, bought, buy_price)
    select 'LOAN' || lpad(n::text, 8, '0'), ${firstMember}::bigint + n % ${members}::int, case when is_lever then 'lever' else 'project' end, 'JU', 500000,
      ${SAFETY}::int, ${CLEARING}::int, 500, 3, 60, 20000, ${2_000n * WHOLE_UNIT}::numeric, ${WHOLE_UNIT}::numeric, ${LENT}::numeric,
      ${openedOn}::date, ${openedOn}::date + 360, 'active', collateral,
      div(ahead + collateral * ${CLEARING}::int - 1, collateral * ${CLEARING}::int),
      div(ahead + collateral * ${SAFETY}::int - 1, collateral * ${SAFETY}::int), now(),
      case when is_lever then ${LENT}::numeric end, case when is_lever then 20 end, case when is_lever then collateral end,
      case when is_lever then ${2n * WHOLE_UNIT}::numeric end
    from generate_series(1, ${loans}::int) as n,
      lateral (select ${COLLATERAL}::numeric + n * ${step}::numeric as collateral, n <= ${levers}::int as is_lever,
        (${LENT}::numeric + ${INTEREST}::numeric * 15) * 1000000 * ${WHOLE_UNIT}::numeric as ahead) bound`.execute(db)
  await sql`
    insert into loan_debt (loan_id, project_id, rate_ppm, reserve_ppm, principal, interest_charged, interest_through, next_due_on,
      watch_through)
    select id, case kind when 'project' then (select project.id from project) end, ${RATE}::int, 100000, ${LENT}::numeric,
      ${INTEREST}::numeric, ${openedOn}::date + 1, due_on, ${openedOn}::date + 1 + (id % 14)::int
    from loan order by loan.id`.execute(db)
  await sql`
    insert into loan_due (loan_id, number, due_on) select id, 1, due_on from loan`.execute(db)
  const locked = loanAccountNumbers('loanCollateral', 'JU')
  const owed = loanAccountNumbers('loanPrincipal', 'USDT')
  const interest = loanAccountNumbers('loanInterest', 'USDT')
  await sql`
    insert into ledger_account (id, balance, version)
    select id * ${locked.factor}::bigint + ${locked.offset}::bigint, collateral, 1 from loan
    union all select loan_id * ${owed.factor}::bigint + ${owed.offset}::bigint, -principal, 1 from loan_debt
    union all select loan_id * ${interest.factor}::bigint + ${interest.offset}::bigint, -interest_charged, 1 from loan_debt
    union all select ${platformAccount('deskInventory', 'USDT')}::bigint, ${10n ** 12n * WHOLE_UNIT}::numeric, 1`.execute(
    db,
  )
  // The accounts have their money from outside, so that the books sum to nothing.
  await sql`
    insert into ledger_delta (account, amount, entries)
    select ${platformAccount('custody', 'JU')}::bigint, -sum(collateral), count(*) from loan
    union all select ${platformAccount('custody', 'USDT')}::bigint, sum(principal + interest_charged) - ${10n ** 12n * WHOLE_UNIT}::numeric, 2 * count(*) + 1
    from loan_debt`.execute(db)
  await sql`update project set borrowed = ${LENT * BigInt(loans - levers)}::numeric`.execute(db)
}
