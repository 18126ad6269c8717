import { sql } from 'kysely'
import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { daysBetween } from '@candela/protocol/calendar'
import { loanAccountNumbers, memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { auditFund } from '@candela/server/modules/fund/audit-fund'
import { auditLoans } from '@candela/server/modules/lending/loan/audit-loans'
import type { Simulation } from '../run/simulation.ts'

const custody = platformAccount('custody', 'USDT')
const reserve = platformAccount('reserve', 'USDT')
/** Digits of every member's account of available USDT. */
const available = memberAccount(1n, 'memberAvailable', 'USDT') % 100_000n
const feeAccounts = assetCodes.map((asset) => platformAccount('fees', asset))

/**
 * Lending after a simulation: what the hourly audit compares, and that all that was acknowledged is there, once, and nothing else.
 */
export async function lendingIsRight(simulation: Simulation): Promise<string[]> {
  const { db } = simulation
  const audits = [...(await auditLoans(db)), ...(await auditFund(db))]
  return [
    ...audits.map(({ rule, subject, details }) => `${rule}: ${subject}: ${details}`),
    ...(await loansAreThoseAcknowledged(simulation)),
    ...(await daysAreChargedOnce(simulation)),
    ...(await projectsCountTheirLoans(simulation)),
    ...(await repaymentsReachTheirLoans(simulation)),
    ...(await fundMovesAreThoseAcknowledged(simulation)),
  ]
}

/** Loans with what they were changed by other than acknowledged acts. */
async function readLoans({ db }: Simulation) {
  const { rows } = await sql<{
    loan_no: string
    member_id: bigint
    collateral_asset: 'JU' | 'HASH'
    lent: bigint
    bought: bigint | null
    collateral: bigint
    closed: boolean
    charged: bigint
    owed: bigint
    fees: bigint
    sold: bigint
    returned: bigint
    liquidated: bigint
    on_chain: bigint
    given_back: bigint
    waived: bigint
  }>`
    select l.loan_no, l.member_id, l.collateral_asset, l.lent, l.bought, l.collateral, l.closed_at is not null as closed,
      l.interest_charged + l.late_charged as charged,
      l.principal + l.interest_charged - l.interest_paid + l.late_charged - l.late_paid as owed,
      (select coalesce(sum(fee_paid), 0)::numeric from loan_due where loan_id = l.id) as fees,
      (select coalesce(sum(sold), 0)::numeric from loan_liquidation where loan_id = l.id) as sold,
      (select coalesce(sum(returned), 0)::numeric from loan_liquidation where loan_id = l.id) as returned,
      (select coalesce(sum(repaid + shortfall), 0)::numeric from loan_liquidation where loan_id = l.id) as liquidated,
      (select coalesce(sum(-e.amount), 0)::numeric from ledger_posting p join ledger_entry e on e.posting = p.seq
        where p.kind = 'repayment' and p.memo->>'loanNo' = l.loan_no and p.memo->>'txHash' is not null
          and e.account = ${custody}) as on_chain,
      (select coalesce(sum(e.amount), 0)::numeric from ledger_posting p join ledger_entry e on e.posting = p.seq
        where p.kind = 'interest-correction' and p.memo->>'loanNo' = l.loan_no and e.account % 100000 = ${available}) as given_back,
      (select coalesce(sum(-e.amount), 0)::numeric from ledger_posting p join ledger_entry e on e.posting = p.seq
        where p.kind = 'interest-waiver' and p.memo->>'loanNo' = l.loan_no and e.account = ${reserve}) as waived
    from loan_with_debt l order by l.id`.execute(db)
  return rows
}

type LoanFacts = Awaited<ReturnType<typeof readLoans>>[number]

function actsOn({ lending }: Simulation, { loan_no }: LoanFacts) {
  const effects = [...lending.done.values()].map(({ effect }) => effect).filter(({ loanNo }) => loanNo === loan_no)
  const sum = (part: 'collateral' | 'repaid') => effects.reduce((total, effect) => total + (effect[part] ?? 0n), 0n)
  return { collateral: sum('collateral'), repaid: sum('repaid') }
}

/** The part of a loan's collateral that acts and liquidations have left; an ended loan returns it. */
const leftOf = (simulation: Simulation, loan: LoanFacts): bigint =>
  (loan.bought ?? 0n) + actsOn(simulation, loan).collateral - loan.sold - loan.returned

async function loansAreThoseAcknowledged(simulation: Simulation): Promise<string[]> {
  const { lending } = simulation
  const loans = await readLoans(simulation)
  const found = loans.map(({ loan_no }) => loan_no).toSorted()
  const wanted = lending.loans.map(({ loanNo }) => loanNo).toSorted()
  const findings = found.join() === wanted.join() ? [] : [`loans ${found.join()} instead of ${wanted.join()}`]
  for (const loan of loans) {
    const { loan_no, lent, charged, owed, fees, liquidated, on_chain, given_back, waived, closed, collateral } = loan
    const paid = actsOn(simulation, loan).repaid + on_chain + liquidated + waived - given_back
    const wantedPaid = lent + charged - owed + fees
    if (paid !== wantedPaid) findings.push(`loan ${loan_no} was paid ${paid} and counts ${wantedPaid}`)
    const left = leftOf(simulation, loan)
    if (!closed && collateral !== left) findings.push(`loan ${loan_no} has collateral ${collateral} instead of ${left}`)
  }
  return findings
}

/** Every loan is charged each day from its first to the last, once. */
async function daysAreChargedOnce({ db }: Simulation): Promise<string[]> {
  const { factor, offset } = loanAccountNumbers('loanInterest', 'USDT')
  const { rows } = await sql<{ loan_no: string; opened_on: string; interest_through: string; days: string[] }>`
    select l.loan_no, l.opened_on, l.interest_through,
      (select coalesce(array_agg(day order by day), '{}') from (
        select distinct p.seq, p.memo->>'day' as day from ledger_entry e join ledger_posting p on p.seq = e.posting
        where p.kind = 'interest' and e.account = l.id * ${factor} + ${offset}) charged) as days
    from loan_with_debt l where l.principal > 0 and l.closed_at is null order by l.id`.execute(db)
  return rows.flatMap(({ loan_no, opened_on, interest_through, days }) => {
    const wanted = daysBetween(opened_on, interest_through)
    return days.length === wanted && new Set(days).size === wanted
      ? []
      : [`loan ${loan_no} was charged for ${days.join()} of ${wanted} days`]
  })
}

/** The sums that projects have lent, and that their loans were charged since they were opened. */
async function projectsCountTheirLoans({ db }: Simulation): Promise<string[]> {
  const { rows } = await sql<{
    project_no: string
    lent: bigint
    charged: bigint
    borrowed: bigint
    interest_earned: bigint
  }>`
    select p.project_no, p.borrowed, p.interest_earned, coalesce(sum(l.principal), 0)::numeric as lent,
      coalesce(sum(l.interest_charged), 0)::numeric as charged
    from project p left join loan_with_debt l on l.project_id = p.id group by p.id order by p.id`.execute(db)
  return rows
    .filter(({ lent, charged, borrowed, interest_earned }) => lent !== borrowed || charged !== interest_earned)
    .map(({ project_no }) => `project ${project_no} does not count what its loans owe and were charged`)
}

/** A payment that names a loan which is still open has repaid it. */
async function repaymentsReachTheirLoans({ db }: Simulation): Promise<string[]> {
  const rows = await db
    .selectFrom('chain_event as e')
    .innerJoin('loan as l', 'l.loan_no', 'e.reference')
    .select(['e.tx_hash', 'e.outcome', 'e.asset', 'l.closed_at'])
    .where('e.action', '=', 'repay')
    .execute()
  return rows
    .filter(({ asset, outcome, closed_at }) =>
      asset === 'USDT' ? outcome !== 'loan' && closed_at === null : outcome === 'loan',
    )
    .map(({ tx_hash, outcome }) => `${tx_hash} repays an open loan and went to ${outcome}`)
}

async function fundMovesAreThoseAcknowledged({ db, lending }: Simulation): Promise<string[]> {
  const wanted = new Map<bigint, { paidIn: bigint; paidOut: bigint }>()
  for (const { act, effect } of lending.done.values()) {
    if (act !== 'fundIn' && act !== 'fundOut') continue
    const { paidIn, paidOut } = wanted.get(effect.memberId) ?? { paidIn: 0n, paidOut: 0n }
    const moved = effect.balances.reduce((sum, { amount }) => sum + amount, 0n)
    const next = act === 'fundIn' ? { paidIn: paidIn - moved, paidOut } : { paidIn, paidOut: paidOut + moved }
    wanted.set(effect.memberId, next)
  }
  const rows = await db.selectFrom('fund_member').selectAll().execute()
  const findings = rows.length === wanted.size ? [] : [`${rows.length} members of the fund instead of ${wanted.size}`]
  for (const { member_id, paid_in, paid_out } of rows) {
    const { paidIn, paidOut } = wanted.get(member_id) ?? { paidIn: 0n, paidOut: 0n }
    if (paid_in !== paidIn || paid_out !== paidOut)
      findings.push(`member ${member_id} moved ${paid_in} in and ${paid_out} out instead of ${paidIn} and ${paidOut}`)
  }
  return findings
}

export type LendingEffects = {
  /** Hashes of the payments that repaid loans. */
  repayments: ReadonlySet<string>
  /** The changes of accounts by lending and income beside what the chain and withdrawals say. */
  changes: { name: string; asset: AssetCode; amount: bigint }[]
}

/** Computes what lending has done to members' balances, and to the platform's accounts that the chain decides otherwise. */
export async function lendingEffects(simulation: Simulation): Promise<LendingEffects> {
  const { db, lending } = simulation
  const changes: LendingEffects['changes'] = []
  for (const { effect } of lending.done.values()) {
    for (const change of effect.balances) changes.push({ name: String(effect.memberId), ...change })
  }
  for (const loan of await readLoans(simulation)) {
    const amount = loan.returned + (loan.closed ? leftOf(simulation, loan) : 0n)
    changes.push({ name: String(loan.member_id), asset: loan.collateral_asset, amount })
  }
  const repaid = await sql<{ tx_hash: string; member_id: bigint; amount: bigint; repaid: bigint }>`
    select e.tx_hash, coalesce(m.id, l.member_id) as member_id, e.amount,
      (select coalesce(sum(-x.amount), 0)::numeric from ledger_posting p join ledger_entry x on x.posting = p.seq
        where p.kind = 'repayment' and p.memo->>'txHash' = e.tx_hash and x.account = ${custody}) as repaid
    from chain_event e join loan l on l.loan_no = e.reference left join member m on m.address = e.payer
    where e.outcome = 'loan'`.execute(db)
  for (const { member_id, amount, repaid: part } of repaid.rows) {
    changes.push({ name: String(member_id), asset: 'USDT', amount: amount - part })
  }
  for (const { name, asset, amount } of await readOthers(simulation)) changes.push({ name, asset, amount })
  return { repayments: new Set(repaid.rows.map(({ tx_hash }) => tx_hash)), changes }
}

/** Fees of lending, what payments on chain that were credited later gave back, and what closes of days have shared. */
async function readOthers({ db }: Simulation): Promise<LendingEffects['changes']> {
  const { rows } = await sql<{ name: string; asset: AssetCode; amount: bigint }>`
    select case when e.account / 100000 > 0 then (e.account / 100000)::text
        when e.account = any(${feeAccounts}::bigint[]) then 'fees' else 'revenuePool' end as name,
      case e.account % 100 when 1 then 'JU' when 2 then 'USDT' else 'HASH' end as asset, sum(e.amount)::numeric as amount
    from ledger_entry e join ledger_posting p on p.seq = e.posting
    where p.kind in ('income', 'service-fee') or (p.kind = 'interest-correction' and e.account % 100000 = ${available})
      or (p.kind in ('repayment', 'interest-correction', 'lever-open', 'lever-close') and e.account = any(${feeAccounts}::bigint[]))
    group by 1, 2`.execute(db)
  return rows
}
