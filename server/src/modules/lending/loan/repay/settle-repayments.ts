import { utcDay } from '@candela/protocol/calendar'
import { sql } from 'kysely'
import {
  type ConfirmedPayment,
  type Disposition,
  paymentPostingId,
  type SettlePayments,
} from '../../../../chain/crediting/credit-payments.ts'
import { countedAt, readStandstills, type Standstill } from '../../../../chain/follow/standstill.ts'
import { anyOf } from '../../../../db/any-of.ts'
import { type Notice, notify } from '../../../notice/notify.ts'
import type { Tx } from '../../../../db/open.ts'
import { accountBalance } from '../../../../ledger/balances.ts'
import { memberAccount, platformAccount } from '../../../../ledger/chart.ts'
import { findPostings } from '../../../../ledger/find-postings.ts'
import type { Leg, Posting } from '../../../../ledger/post.ts'
import { settleReceipts } from '../../../deposit/settle-receipts.ts'
import { bearReturned } from '../../../fund/bear-returned.ts'
import { saveChanges } from '../record/change-loan.ts'
import { type PastStep, readSteps, writeSteps } from '../record/history.ts'
import { type LoanRecord, settled } from '../record/loan-record.ts'
import { loanPostingId } from '../record/postings.ts'
import { recount, type Recounted } from '../record/recount.ts'
import { type Change, chargeStep, endStep, unchanged } from '../record/steps.ts'
import { lockLoans } from '../record/store.ts'
import { boundByReserve, RESERVE } from './bound-by-reserve.ts'

/** A loan with its history as it is stored, and both as they are after the payments so far. */
type Named = {
  before: LoanRecord
  past: PastStep[]
  loan: LoanRecord
  steps: PastStep[]
  charged: Posting[]
  isRepaid: boolean
}

/**
 * Settles confirmed payments with the action `repay`: anybody may pay anybody's loan by its number. Each counts from the time of its
 * block, whenever it is credited; what was charged and paid since is corrected by further postings. Several of one loan
 * count one after the other. What is too much goes to the payer's balance, or to the borrower's when the payer has none.
 */
export const settleRepayments: SettlePayments = async (tx, payments, now) => {
  if (payments.length === 0) return []
  const posted = await findPostings(tx, payments.flatMap(idsOf))
  const members = await readMembers(tx, payments)
  const standstills = await readStandstills(tx)
  const loans = await lockNamed(tx, payments, standstills, now)
  const inReserve = await accountBalance(tx, RESERVE)
  let reserve = inReserve
  const again: Disposition[] = []
  const counts: { loanNo: string; disposition: Disposition }[] = []
  const unmatched: ConfirmedPayment[] = []
  const notices: Notice[] = []
  for (const payment of payments) {
    const before = repaidBefore(payment, posted)
    const named = payment.asset === 'USDT' ? loans.get(payment.reference) : undefined
    if (before.length > 0) {
      again.push({ eventId: payment.eventId, outcome: 'loan', postings: before })
      continue
    }
    const payerId = members.get(payment.payer) ?? named?.before.row.member_id ?? 0n
    const { amount } = payment
    const at = countedAt(standstills, payment.blockAt)
    const counted = named && recount(named.loan, named.steps, { amount, at, payerId, reserve })
    if (named === undefined || !counted) {
      unmatched.push(payment)
      continue
    }
    const ended = endStep(counted.loan, 'repaid', now)
    const disposition = dispose(payment, counted, { payerId, alongside: named.charged, ended }, now)
    counts.push({ loanNo: payment.reference, disposition })
    notices.push(...ended.notices)
    for (const { legs } of disposition.afterwards ?? [])
      for (const { debit, amount: taken } of legs) if (debit === RESERVE) reserve -= taken
    loans.set(payment.reference, { ...named, loan: ended.loan, steps: counted.steps, charged: [], isRepaid: true })
  }
  const repaid = [...loans.values()].filter(({ isRepaid }) => isRepaid)
  const today = utcDay(now)
  const changes = repaid.map(({ before, loan }) => ({ before, loan: settled(loan, today) }))
  await saveChanges(tx, changes, now)
  for (const { before, past, steps } of repaid) {
    await writeSteps(
      tx,
      before.row.id,
      steps.filter((step) => !past.includes(step)),
    )
  }
  await notify(tx, ...notices)
  const repayments = await bearLacking(tx, counts, inReserve, now)
  return [...again, ...repayments, ...(unmatched.length === 0 ? [] : await settleReceipts(tx, unmatched, now))]
}

/** Repayments that give back interest of the reserve, which has perhaps paid it out for a deficit meanwhile. */
async function bearLacking(
  tx: Tx,
  counts: readonly { loanNo: string; disposition: Disposition }[],
  inReserve: bigint,
  now: Date,
): Promise<Disposition[]> {
  const bounded = boundByReserve(
    counts.map(({ disposition }) => disposition),
    inReserve,
  )
  const returned = bounded.flatMap(({ lacking, disposition }, nth) => {
    const loanNo = counts[nth]?.loanNo ?? ''
    return lacking > 0n ? [{ loanNo, cause: disposition.postings[0]?.id ?? '', amount: lacking }] : []
  })
  const dispositions = bounded.map(({ disposition }) => disposition)
  const last = dispositions.pop()
  if (last === undefined || returned.length === 0) return bounded.map(({ disposition }) => disposition)
  const borne = await bearReturned(tx, returned, now)
  return [...dispositions, { ...last, afterwards: [...(last.afterwards ?? []), ...borne] }]
}

const idsOf = (payment: ConfirmedPayment): string[] => [paymentPostingId(payment, 0), paymentPostingId(payment, 1)]

/** Finds what was posted for it before: our records of the chain were lost and read again, and the loan has counted it. */
const repaidBefore = (payment: ConfirmedPayment, posted: ReadonlyMap<string, Posting>): Posting[] =>
  posted.get(paymentPostingId(payment, 0))?.kind === 'repayment'
    ? idsOf(payment).flatMap((id) => posted.get(id) ?? [])
    : []

/**
 * The loans that payments name, in the order of their ids: open ones charged up to today, and those that were closed since the first
 * of the payments was in its block.
 */
async function lockNamed(
  tx: Tx,
  payments: readonly ConfirmedPayment[],
  standstills: readonly Standstill[],
  now: Date,
): Promise<Map<string, Named>> {
  const named = payments.filter(({ asset }) => asset === 'USDT')
  const first = named
    .map(({ blockAt }) => countedAt(standstills, blockAt))
    .toSorted((one, other) => one.getTime() - other.getTime())[0]
  if (first === undefined) return new Map()
  const found = await tx
    .selectFrom('loan')
    .select('id')
    .where('loan_no', '=', anyOf(named.map(({ reference }) => reference)))
    .where(sql<boolean>`(closed_at is null or (closed_at > ${first} and state <> 'written-off'))`)
    .orderBy('id')
    .execute()
  const ids = found.map(({ id }) => id)
  const locked = await lockLoans(tx, ids)
  const histories = await readSteps(tx, ids, first)
  const loans = new Map<string, Named>()
  for (const before of locked) {
    const { loan_no, id, closed_at, state } = before.row
    if (state === 'written-off') continue
    // A block's time may be ahead of our clock.
    const days = named.filter(({ reference }) => reference === loan_no).map(({ blockAt }) => utcDay(blockAt))
    const to = [utcDay(now), ...days].toSorted().at(-1) ?? utcDay(now)
    const charged = closed_at === null ? chargeStep(before, to, now) : unchanged(before)
    const past = histories.get(id) ?? []
    loans.set(loan_no, { before, past, loan: charged.loan, steps: past, charged: charged.postings, isRepaid: false })
  }
  return loans
}

async function readMembers(tx: Tx, payments: readonly ConfirmedPayment[]): Promise<ReadonlyMap<string, bigint>> {
  const payers = [...new Set(payments.map(({ payer }) => payer))]
  const rows = await tx.selectFrom('member').select(['id', 'address']).where('address', '=', anyOf(payers)).execute()
  return new Map(rows.map(({ id, address }) => [address, id]))
}

type Disposing = { payerId: bigint; alongside: Posting[]; ended: Change }

/** Everything that is posted for a payment. */
function dispose(
  payment: ConfirmedPayment,
  { loan, at, legs, rest, waived, charges, payments }: Recounted,
  { payerId, alongside, ended }: Disposing,
  now: Date,
): Disposition {
  const { loan_no: loanNo } = loan.row
  const { txHash, action, reference, customer, blockAt: occurredAt } = payment
  const first = paymentPostingId(payment, 0)
  const repayment: Posting = { id: first, kind: 'repayment', legs, memo: { loanNo, txHash }, occurredAt: at }
  const credit = memberAccount(payerId, 'memberAvailable', 'USDT')
  const surplus: Posting = {
    id: paymentPostingId(payment, 1),
    kind: 'unmatched',
    legs: [{ debit: platformAccount('custody', 'USDT'), credit, amount: rest }],
    memo: { action, reference, payer: payment.payer, customer, txHash },
    occurredAt,
  }
  const idOf = (what: string) => loanPostingId(loan.row, `${what}:${first}`, occurredAt)
  const memo = { loanNo, day: utcDay(at), txHash }
  const correct = (what: string, corrected: Leg[], time: Date): Posting[] =>
    corrected.length === 0
      ? []
      : [{ id: idOf(what), kind: 'interest-correction', legs: corrected, memo, occurredAt: time }]
  const waiver: Posting = { id: idOf('waiver'), kind: 'interest-waiver', legs: waived, memo, occurredAt: at }
  return {
    eventId: payment.eventId,
    outcome: 'loan',
    postings: rest > 0n ? [repayment, surplus] : [repayment],
    // A debt is raised before it is paid, and money is there before it goes back.
    alongside: [...alongside, ...payments.flatMap(({ at: time, debt }, nth) => correct(`debt:${nth}`, debt, time))],
    afterwards: [
      ...(waived.length > 0 ? [waiver] : []),
      ...correct('charges', charges, now),
      ...payments.flatMap(({ at: time, money }, nth) => correct(`money:${nth}`, money, time)),
      ...ended.postings,
    ],
  }
}
