import { startOfDay, utcDay } from '@candela/protocol/calendar'
import { dayInterest } from '@candela/protocol/lending/interest'
import { totalOf } from '@candela/protocol/lending/loan'
import { countSale, FORGIVEN_MINUTES, payoffOf, type Repayment } from '@candela/protocol/lending/repayment'
import { isDust } from '@candela/protocol/money/dust'
import { MINUTE_MS } from '@candela/protocol/units'
import { assert } from '../../../../kernel/assert.ts'
import { type AccountId, memberAccount, platformAccount } from '../../../../ledger/chart.ts'
import type { Leg } from '../../../../ledger/post.ts'
import { type Done, partsOf, type PastStep, type Standing, standingOf } from './history.ts'
import { debtOf, loanOf, type LoanRecord } from './loan-record.ts'
import { chargedLegs, repaymentLegs, usdtOf } from './postings.ts'
import { duesOf } from './schedule-dues.ts'
import { chargeStep, paidOf, repayStep } from './steps.ts'

/** Legs that turn what was posted into what should have been posted: each account changes by the difference, in one direction. */
function netLegs(posted: readonly Leg[], right: readonly Leg[]): Leg[] {
  const changes = new Map<AccountId, bigint>()
  const change = (account: AccountId, amount: bigint) => changes.set(account, (changes.get(account) ?? 0n) + amount)
  for (const [legs, sign] of [
    [posted, -1n],
    [right, 1n],
  ] as const) {
    for (const { debit, credit, amount } of legs) {
      change(debit, -sign * amount)
      change(credit, sign * amount)
    }
  }
  const legs: Leg[] = []
  // An asset's accounts sum to zero, so that those that fall pay those that rise.
  const rising = [...changes].filter(([, amount]) => amount > 0n)
  for (const [debit, fall] of changes) {
    for (let left = -fall; left > 0n;) {
      const to = rising.find(([account, amount]) => amount > 0n && account % 100n === debit % 100n)
      if (to === undefined) throw new RangeError('legs do not balance')
      const amount = to[1] < left ? to[1] : left
      legs.push({ debit, credit: to[0], amount })
      to[1] -= amount
      left -= amount
    }
  }
  return legs
}

/** A payment that counts from its block on, and what the reserve has to forgive a residue with. */
export type ChainPayment = { amount: bigint; at: Date; payerId: bigint; reserve: bigint }

export type Recounted = {
  loan: LoanRecord
  /** When the payment counts: at its block, or at the first step that is known. */
  at: Date
  /** The legs of the payment itself, paid by custody. */
  legs: Leg[]
  /** The amount that the payment need not pay. */
  rest: bigint
  /** The legs of what is forgiven, paid by the reserve. */
  waived: Leg[]
  /** These legs correct the interest and late charges that were charged since its block. */
  charges: Leg[]
  /** Corrections of what was paid since its block, with the time at which it was paid: parts of the debt, and the money for them. */
  payments: { at: Date; debt: Leg[]; money: Leg[] }[]
  steps: PastStep[]
}

/**
 * Counts a payment at the time of its block: takes the debt as it stood then, charges it up to the day of the block, counts the
 * payment, and then everything again that was done to the debt since. What was paid since and is not needed goes back to who paid it.
 * @param loan as it stands, charged up to today or closed since the payment's block
 * @param steps its history from before the payment on
 * @returns null when nothing was owed any more, or the payment is dust that does not end the debt: then it repays nothing
 */
export function recount(loan: LoanRecord, steps: readonly PastStep[], payment: ChainPayment): Recounted | null {
  const kept = Math.max(1, steps.filter(({ at }) => at <= payment.at).length)
  const base = steps[kept - 1]
  assert(base !== undefined, `loan ${loan.row.loan_no} has no history`)
  const day = utcDay(payment.at)
  const then = chargeTo(standing(loan, base.standing), day, payment.at)
  if (totalOf(debtOf(then.row)) === 0n) return null
  if (isDust('USDT', payment.amount) && payment.amount < payoffOf(loanOf(then), day)) return null
  const { loan: paid, parts, rest } = repayStep(then, platformAccount('custody', 'USDT'), payment.amount, day)
  const legs = repaymentLegs(loan.row, platformAccount('custody', 'USDT'), parts, paidOf(then.row))
  const at = payment.at > base.at ? payment.at : base.at
  const counted: PastStep[] = [
    { id: null, at, day, done: { kind: 'payment', payerId: payment.payerId, parts }, standing: standingOf(paid) },
  ]
  const forgiven = forgive(then, paid, day, payment)
  if (forgiven !== null) {
    const done: Done = { kind: 'payment', payerId: null, parts: forgiven.parts }
    counted.push({ id: null, at, day, done, standing: standingOf(forgiven.loan) })
  }
  const payments: Recounted['payments'] = []
  let now = forgiven?.loan ?? paid
  for (const step of steps.slice(kept)) {
    const charged = chargeTo(now, step.day, step.at)
    const again = countAgain(charged, step)
    const [posted, right] = [legsOf(loan, step.done, paidBefore(step)), legsOf(loan, again.done, paidOf(charged.row))]
    const netOf = (take: (leg: Leg) => boolean) => netLegs(posted.filter(take), right.filter(take))
    payments.push({ at: step.at, debt: netOf(isDebt), money: netOf((leg) => !isDebt(leg)) })
    now = again.loan
    counted.push({ ...step, done: again.done, standing: standingOf(now) })
  }
  const { row, dues } = chargeTo(now, loan.row.interest_through, payment.at)
  assert(
    loan.row.closed_at === null || totalOf(debtOf(row)) === 0n,
    `loan ${loan.row.loan_no} is closed and would owe something`,
  )
  return {
    loan: { row, dues },
    at,
    legs,
    rest,
    waived: forgiven?.legs ?? [],
    charges: netLegs(chargedLegs(loan.row, loan.row), chargedLegs(loan.row, row)),
    payments,
    steps: [...steps.slice(0, kept), ...counted],
  }
}

/**
 * The rest of a debt when it is at most the interest of a day, soon after midnight: the payment was of what ended the loan on the
 * day before. The reserve pays it.
 */
function forgive(before: LoanRecord, paid: LoanRecord, day: string, { at, reserve }: ChainPayment) {
  const left = payoffOf(loanOf(paid), day)
  const dayOfIt = dayInterest(before.row.principal, BigInt(before.row.rate_ppm))
  const isSoon = at.getTime() - startOfDay(day).getTime() < FORGIVEN_MINUTES * MINUTE_MS
  if (left === 0n || left > dayOfIt || left > reserve || !isSoon) return null
  const account = platformAccount('reserve', 'USDT')
  const { loan, parts, legs } = repayStep(paid, account, left, day)
  return { loan, parts, legs: netLegs([], legs) }
}

/** The loan with the debt of a standing. */
const standing = ({ row }: LoanRecord, { dues, ...debt }: Standing): LoanRecord => ({ row: { ...row, ...debt }, dues })

const chargeTo = (loan: LoanRecord, day: string, at: Date): LoanRecord => chargeStep(loan, day, at).loan

/** Counts again what a later step does now. A payment or a sale takes at most what is owed. */
function countAgain(loan: LoanRecord, { done, day }: PastStep): { loan: LoanRecord; done: Done } {
  if (done.kind === 'payment') {
    const { loan: paid, parts } = repayStep(loan, payerOf(loan, done), sumOf(done.parts), day)
    return { loan: paid, done: { ...done, parts } }
  }
  if (done.kind === 'sale') {
    const debt = debtOf(loan.row)
    const repaid = sumOf(done.parts) < totalOf(debt) ? sumOf(done.parts) : totalOf(debt)
    const { parts, dues } = countSale({ debt, dues: loan.dues }, repaid)
    const row = {
      ...loan.row,
      principal: loan.row.principal - parts.principal,
      interest_paid: loan.row.interest_paid + parts.interest,
      late_paid: loan.row.late_paid + parts.charges,
    }
    return { loan: { row, dues }, done: { ...done, parts: { ...parts, fees: 0n } } }
  }
  const isOver = done.kind === 'opened' || loan.row.principal === 0n
  return { loan: isOver ? loan : duesOf(loan, done.count, day), done }
}

const sumOf = ({ charges, fees, interest, principal }: Repayment): bigint => charges + fees + interest + principal

/** Where the money of a step came from, as far as it goes back there. What a sale brings too much is the borrower's. */
const payerOf = ({ row }: LoanRecord, done: Done): AccountId =>
  done.kind !== 'payment'
    ? usdtOf(row)
    : done.payerId === null
      ? platformAccount('reserve', 'USDT')
      : memberAccount(done.payerId, 'memberAvailable', 'USDT')

const legsOf = (loan: LoanRecord, done: Done, paid: { interest: bigint; late: bigint }): Leg[] =>
  repaymentLegs(loan.row, payerOf(loan, done), partsOf(done), paid)

const isDebt = ({ debit }: Leg): boolean =>
  debit === platformAccount('fundClaims', 'USDT') || debit === platformAccount('reserveClaims', 'USDT')

const paidBefore = ({ standing: after, done }: PastStep) => ({
  interest: after.interest_paid - partsOf(done).interest,
  late: after.late_paid - partsOf(done).charges,
})
