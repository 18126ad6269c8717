import { startOfDay } from '@candela/protocol/calendar'
import { splitInterest } from '@candela/protocol/lending/interest'
import type { DayCharge } from '@candela/protocol/lending/advance'
import type { Debt } from '@candela/protocol/lending/loan'
import type { Repayment } from '@candela/protocol/lending/repayment'
import { timeOfId, uuidFromName } from '../../../../kernel/ids.ts'
import { type AccountId, loanAccount, memberAccount, platformAccount } from '../../../../ledger/chart.ts'
import type { Leg, Posting } from '../../../../ledger/post.ts'
import type { LoanRow } from './loan-record.ts'

/** The fields of a loan that its postings name. */
export type Loaned = Pick<LoanRow, 'id' | 'loan_no' | 'member_id' | 'collateral_asset' | 'reserve_ppm'>
/** The sums that were charged, or paid, since the loan was opened. */
export type Cumulative = { interest: bigint; late: bigint }

const fundIdle = platformAccount('fundIdle', 'USDT')
const fundClaims = platformAccount('fundClaims', 'USDT')
const fundPending = platformAccount('fundPending', 'USDT')
const reserve = platformAccount('reserve', 'USDT')
const reserveClaims = platformAccount('reserveClaims', 'USDT')

const owed = ({ id }: Loaned) => ({
  principal: loanAccount(id, 'loanPrincipal', 'USDT'),
  interest: loanAccount(id, 'loanInterest', 'USDT'),
  charges: loanAccount(id, 'loanCharges', 'USDT'),
})

const collateralOf = ({ id, collateral_asset }: Loaned): AccountId =>
  loanAccount(id, 'loanCollateral', collateral_asset)
const heldBy = ({ member_id, collateral_asset }: Loaned): AccountId =>
  memberAccount(member_id, 'memberAvailable', collateral_asset)
export const usdtOf = ({ member_id }: Pick<LoanRow, 'member_id'>): AccountId =>
  memberAccount(member_id, 'memberAvailable', 'USDT')

/** @param at when it was, as far as `what` says; else the day of the loan counts */
export const loanPostingId = ({ loan_no }: Pick<Loaned, 'loan_no'>, what: string, at = timeOfId(loan_no)): string =>
  uuidFromName(`loan:${loan_no}:${what}`, at)
export const positive = (legs: readonly Leg[]): Leg[] => legs.filter(({ amount }) => amount > 0n)

/** Money of the fund is lent to the member. */
export const loanPosting = (loan: Loaned, amount: bigint, now: Date): Posting => ({
  id: loanPostingId(loan, 'loan'),
  kind: 'loan',
  legs: [{ debit: fundIdle, credit: usdtOf(loan), amount }, ...claimLegs(loan, amount)],
  memo: { loanNo: loan.loan_no },
  occurredAt: now,
})

/** The member owes the principal to the fund. */
export const claimLegs = (loan: Loaned, amount: bigint): Leg[] => [
  { debit: owed(loan).principal, credit: fundClaims, amount },
]

/** @param requestId of the command that locks it */
export const pledgePosting = (loan: Loaned, amount: bigint, requestId: string, now: Date): Posting => ({
  id: loanPostingId(loan, `pledge:${requestId}`, timeOfId(requestId)),
  kind: 'pledge',
  legs: [{ debit: heldBy(loan), credit: collateralOf(loan), amount }],
  memo: { loanNo: loan.loan_no },
  occurredAt: now,
})

/** @param cause what it is returned by: a request id, a liquidation, or the end of the loan */
export const pledgeReturnPosting = (loan: Loaned, amount: bigint, cause: string, now: Date): Posting => ({
  id: loanPostingId(loan, `pledge-return:${cause}`, timeOfId(cause)),
  kind: 'pledge-return',
  legs: [{ debit: collateralOf(loan), credit: heldBy(loan), amount }],
  memo: { loanNo: loan.loan_no },
  occurredAt: now,
})

/** Interest and late charges of a day. @param before charged before */
export function chargePostings(
  loan: Loaned,
  { day, interest, late }: DayCharge,
  before: Cumulative,
  now: Date,
): Posting[] {
  const { interest: interestOwed, charges: chargesOwed } = owed(loan)
  const memo = { day, loanNo: loan.loan_no }
  const postings: Posting[] = [
    {
      id: loanPostingId(loan, `interest:${day}`, startOfDay(day)),
      kind: 'interest',
      legs: splitLegs(loan, interestOwed, before.interest, interest),
      memo,
      occurredAt: now,
    },
    {
      id: loanPostingId(loan, `late-charge:${day}`, startOfDay(day)),
      kind: 'late-charge',
      legs: splitLegs(loan, chargesOwed, before.late, late),
      memo,
      occurredAt: now,
    },
  ]
  return postings.filter(({ legs }) => legs.length > 0)
}

/** All interest and late charges that a loan was ever charged. */
export const chargedLegs = (loan: Loaned, row: Pick<LoanRow, 'interest_charged' | 'late_charged'>): Leg[] => [
  ...splitLegs(loan, owed(loan).interest, 0n, row.interest_charged),
  ...splitLegs(loan, owed(loan).charges, 0n, row.late_charged),
]

function splitLegs(loan: Loaned, debit: AccountId, before: bigint, amount: bigint): Leg[] {
  const split = splitInterest(before, amount, BigInt(loan.reserve_ppm))
  return positive([
    { debit, credit: fundPending, amount: split.fund },
    { debit, credit: reserveClaims, amount: split.reserve },
  ])
}

/**
 * Money from `payer` pays parts of the debt: what was owed to the fund becomes idle money of it, and so for the reserve.
 * @param paid interest and late charges paid before
 */
export function repaymentLegs(loan: Loaned, payer: AccountId, parts: Repayment, paid: Cumulative): Leg[] {
  const { interest, charges } = partsOwed(loan, parts, paid)
  return positive([
    { debit: payer, credit: fundIdle, amount: parts.principal + interest.fund + charges.fund },
    { debit: payer, credit: reserve, amount: interest.reserve + charges.reserve },
    { debit: payer, credit: platformAccount('fees', 'USDT'), amount: parts.fees },
    ...endedClaims(loan, parts, paid, { fund: fundClaims, reserve: reserveClaims }),
  ])
}

const partsOwed = (loan: Loaned, parts: Debt, paid: Cumulative) => ({
  interest: splitInterest(paid.interest, parts.interest, BigInt(loan.reserve_ppm)),
  charges: splitInterest(paid.late, parts.charges, BigInt(loan.reserve_ppm)),
})

function endedClaims(
  loan: Loaned,
  parts: Debt,
  paid: Cumulative,
  from: { fund: AccountId; reserve: AccountId },
): Leg[] {
  const accounts = owed(loan)
  const { interest, charges } = partsOwed(loan, parts, paid)
  return [
    { debit: from.fund, credit: accounts.principal, amount: parts.principal },
    { debit: from.fund, credit: accounts.interest, amount: interest.fund },
    { debit: from.fund, credit: accounts.charges, amount: charges.fund },
    { debit: from.reserve, credit: accounts.interest, amount: interest.reserve },
    { debit: from.reserve, credit: accounts.charges, amount: charges.reserve },
  ]
}

/** @param cause the request id of the command that pays */
export const repaymentPosting = (
  loan: Loaned,
  parts: Repayment,
  paid: Cumulative,
  cause: string,
  now: Date,
): Posting => ({
  id: loanPostingId(loan, `repayment:${cause}`, timeOfId(cause)),
  kind: 'repayment',
  legs: repaymentLegs(loan, usdtOf(loan), parts, paid),
  memo: { loanNo: loan.loan_no },
  occurredAt: now,
})

/** Collateral is sold to the desk, and what the desk pays repays the debt and the fee. */
export type Sale = { liquidationNo: string; sold: bigint; parts: Debt; fee: bigint }

export const liquidationPosting = (
  loan: Loaned,
  { liquidationNo, sold, parts, fee }: Sale,
  paid: Cumulative,
  now: Date,
): Posting => ({
  id: uuidFromName(`liquidation:${liquidationNo}`, timeOfId(liquidationNo)),
  kind: 'liquidation',
  legs: positive([
    {
      debit: collateralOf(loan),
      credit: platformAccount('deskInventory', loan.collateral_asset),
      amount: sold,
    },
    ...repaymentLegs(loan, platformAccount('deskInventory', 'USDT'), { ...parts, fees: 0n }, paid),
    { debit: platformAccount('deskInventory', 'USDT'), credit: reserve, amount: fee },
  ]),
  memo: { loanNo: loan.loan_no, liquidationNo },
  occurredAt: now,
})

/** The debt that nothing is left to pay for leaves the loan; the reserve and the fund take it. */
export const deficitPosting = (loan: Loaned, left: Debt, now: Date): Posting => {
  const accounts = owed(loan)
  const debit = platformAccount('deficit', 'USDT')
  return {
    id: loanPostingId(loan, 'deficit'),
    kind: 'deficit',
    legs: positive([
      { debit, credit: accounts.principal, amount: left.principal },
      { debit, credit: accounts.interest, amount: left.interest },
      { debit, credit: accounts.charges, amount: left.charges },
    ]),
    memo: { loanNo: loan.loan_no },
    occurredAt: now,
  }
}

/** Divides a part of the debt into what is owed to the fund and what is owed to the reserve. */
export function sharesOfDebt(loan: Loaned, left: Debt, paid: Cumulative): { fundPart: bigint; reservePart: bigint } {
  const { interest, charges } = partsOwed(loan, left, paid)
  return {
    fundPart: left.principal + interest.fund + charges.fund,
    reservePart: interest.reserve + charges.reserve,
  }
}
