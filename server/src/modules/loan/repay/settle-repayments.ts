import { utcDay } from '@candela/protocol/calendar'
import {
  type ConfirmedPayment,
  type Disposition,
  paymentPostingId,
  type SettlePayments,
} from '../../../chain/credit/credit.ts'
import { anyOf } from '../../../db/any-of.ts'
import type { Tx } from '../../../db/open.ts'
import { memberAccount, platformAccount } from '../../../ledger/chart.ts'
import { findPostings } from '../../../ledger/find-postings.ts'
import type { Posting } from '../../../ledger/post.ts'
import { type ChangeDeps, saveChanges } from '../record/change-loan.ts'
import { type LoanRecord, settled } from '../record/loan-record.ts'
import { type Change, chargeStep, endStep, join, repayStep } from '../record/steps.ts'
import { lockLoan } from '../record/store.ts'

export type SettleRepaymentsDeps = ChangeDeps & {
  /** Gives money that repays nothing to its sender. */
  settleUnmatched: SettlePayments
}

type OpenLoan = { before: LoanRecord; change: Change; isRepaid: boolean }

/**
 * Settles confirmed payments with the action `repay`: anybody may pay anybody's loan by its number. Several of one loan
 * count one after the other. What is too much goes to the payer's balance, or to the borrower's when the payer has none.
 */
export function repaymentSettler(deps: SettleRepaymentsDeps): SettlePayments {
  return async (tx, payments, now) => {
    if (payments.length === 0) return []
    const posted = await findPostings(tx, payments.flatMap(idsOf))
    const loans = await lockLoans(tx, payments, now)
    const members = await readMembers(tx, payments)
    const today = utcDay(now)
    const dispositions: Disposition[] = []
    const unmatched: ConfirmedPayment[] = []
    for (const payment of payments) {
      const before = repaidBefore(payment, posted)
      const open = loans.get(payment.reference)
      if (before.length > 0) {
        dispositions.push({ eventId: payment.eventId, outcome: 'loan', postings: before })
      } else if (payment.asset !== 'USDT' || open === undefined || open.change.loan.row.closed_at !== null) {
        unmatched.push(payment)
      } else {
        const { disposition, change } = repayOnChain(open.change, payment, members.get(payment.payer), today, now)
        dispositions.push({ ...disposition, alongside: change.postings })
        loans.set(payment.reference, { ...open, change: { ...change, postings: [] }, isRepaid: true })
      }
    }
    const repaid = [...loans.values()].filter(({ isRepaid }) => isRepaid)
    const changes = repaid.map(({ before, change }) => ({ before, loan: settled(change.loan, today) }))
    await saveChanges(tx, deps, changes)
    await deps.notify(tx, ...repaid.flatMap(({ change }) => change.notices))
    return [...dispositions, ...(unmatched.length === 0 ? [] : await deps.settleUnmatched(tx, unmatched, now))]
  }
}

const idsOf = (payment: ConfirmedPayment): string[] => [paymentPostingId(payment, 0), paymentPostingId(payment, 1)]

/** What was posted for it before: our records of the chain were lost and read again, and the loan has counted it. */
const repaidBefore = (payment: ConfirmedPayment, posted: ReadonlyMap<string, Posting>): Posting[] =>
  posted.get(paymentPostingId(payment, 0))?.kind === 'repayment'
    ? idsOf(payment).flatMap((id) => posted.get(id) ?? [])
    : []

/** The open loans that payments name, charged up to today, in the order of their ids. */
async function lockLoans(tx: Tx, payments: readonly ConfirmedPayment[], now: Date): Promise<Map<string, OpenLoan>> {
  const named = payments.filter(({ asset }) => asset === 'USDT').map(({ reference }) => reference)
  if (named.length === 0) return new Map()
  const found = await tx
    .selectFrom('loan')
    .select('id')
    .where('loan_no', '=', anyOf(named))
    .where('closed_at', 'is', null)
    .orderBy('id')
    .execute()
  const loans = new Map<string, OpenLoan>()
  for (const { id } of found) {
    const before = await lockLoan(tx, { id })
    if (before.row.closed_at !== null) continue
    loans.set(before.row.loan_no, { before, change: chargeStep(before, utcDay(now), now), isRepaid: false })
  }
  return loans
}

async function readMembers(tx: Tx, payments: readonly ConfirmedPayment[]): Promise<ReadonlyMap<string, bigint>> {
  const payers = [...new Set(payments.map(({ payer }) => payer))]
  const rows = await tx.selectFrom('member').select(['id', 'address']).where('address', '=', anyOf(payers)).execute()
  return new Map(rows.map(({ id, address }) => [address, id]))
}

function repayOnChain(
  before: Change,
  payment: ConfirmedPayment,
  payer: bigint | undefined,
  today: string,
  now: Date,
): { disposition: Disposition; change: Change } {
  const { row } = before.loan
  const custody = platformAccount('custody', 'USDT')
  const { loan, legs, rest } = repayStep(before.loan, custody, payment.amount, today)
  const { txHash, action, reference, customer, blockAt: occurredAt } = payment
  const repayment: Posting = {
    id: paymentPostingId(payment, 0),
    kind: 'repayment',
    legs,
    memo: { loanNo: row.loan_no, txHash },
    occurredAt,
  }
  const surplus: Posting = {
    id: paymentPostingId(payment, 1),
    kind: 'unmatched',
    legs: [{ debit: custody, credit: memberAccount(payer ?? row.member_id, 'memberAvailable', 'USDT'), amount: rest }],
    memo: { action, reference, payer: payment.payer, customer, txHash },
    occurredAt,
  }
  const repaid: Change = { loan, postings: [], notices: [] }
  return {
    disposition: {
      eventId: payment.eventId,
      outcome: 'loan',
      postings: rest > 0n ? [repayment, surplus] : [repayment],
    },
    change: join(before, join(repaid, endStep(loan, 'repaid', now))),
  }
}
