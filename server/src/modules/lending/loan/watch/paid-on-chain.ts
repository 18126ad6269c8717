import { utcDay } from '@candela/protocol/calendar'
import type { LiquidationReason } from '@candela/protocol/lending/liquidation'
import { totalOf } from '@candela/protocol/lending/loan'
import { HOUR_MS } from '@candela/protocol/units'
import { countedAt, readStandstills, type Standstill } from '../../../../chain/follow/standstill.ts'
import { readFollowedHead } from '../../../../chain/follow/followed-block.ts'
import { anyOf } from '../../../../db/any-of.ts'
import type { Tx } from '../../../../db/open.ts'
import { accountBalance } from '../../../../ledger/balances.ts'
import { platformAccount } from '../../../../ledger/chart.ts'
import { readSteps } from '../record/history.ts'
import { debtOf, type LoanRecord } from '../record/loan-record.ts'
import { recount } from '../record/recount.ts'
import { reasonFor } from './liquidate-step.ts'

/**
 * The chain's facts about sales of locked loans: a repayment counts from its block, and is credited later.
 * - A day has come for `default` and `term` when a followed block is of it, so that no payment of the day before is unknown.
 * - While crediting is halted, and for six hours after the chain stood still, nothing is sold for either.
 * - Repayments that wait for their confirmations are counted as if they were credited. One that most nodes do not have is forgotten (`chain/crediting/`).
 */
export type ChainFacts = {
  /** Why a loan is sold, with what is paid. What is late and has to wait is sold at its line alone. */
  reasonOf: (loan: LoanRecord) => LiquidationReason
  /** The loan as it is when all payments on the way are credited. */
  afterPayments: (loan: LoanRecord) => LoanRecord
}

/** So long after the first new block nobody is sold for being late. */
const GRACE_MS = 6 * HOUR_MS

const stoodBefore = ([last]: readonly Standstill[], at: Date): boolean =>
  last !== undefined && at.getTime() - last.to.getTime() < GRACE_MS

/** @param loans locked, and charged up to today */
export async function readChainFacts(tx: Tx, loans: readonly LoanRecord[], now: Date): Promise<ChainFacts> {
  const head = await readFollowedHead(tx)
  const today = utcDay(now)
  const seen = head === null ? today : head.at === null || head.isHalted ? null : utcDay(head.at)
  const standstills = await readStandstills(tx)
  const goesOnAgain = head !== null && head.at !== null && stoodBefore(standstills, head.at)
  const day = seen === null || seen > today ? today : seen
  const after = await countPayments(tx, loans, standstills)
  const afterPayments = (loan: LoanRecord) => after.get(loan.row.id) ?? loan
  return {
    afterPayments,
    reasonOf(loan) {
      const reason = reasonFor(afterPayments(loan), day)
      return seen === null || goesOnAgain ? 'line' : reason
    },
  }
}

/** Loans that payments are on the way for, as they are when these are credited, by their ids. */
async function countPayments(
  tx: Tx,
  loans: readonly LoanRecord[],
  standstills: readonly Standstill[],
): Promise<Map<bigint, LoanRecord>> {
  const recorded = await tx
    .selectFrom('chain_payment')
    .select(['reference', 'amount', 'block_at'])
    .where('state', '=', 'recorded')
    .where('action', '=', 'repay')
    .where('asset', '=', 'USDT')
    .where('reference', '=', anyOf(loans.map(({ row }) => row.loan_no)))
    .orderBy('block_number')
    .orderBy('log_index')
    .execute()
  const payments = recorded.map(({ block_at, ...payment }) => ({ ...payment, at: countedAt(standstills, block_at) }))
  const first = payments.map(({ at }) => at).toSorted((one, other) => one.getTime() - other.getTime())[0]
  if (first === undefined) return new Map()
  const named = loans.filter(({ row }) => payments.some(({ reference }) => reference === row.loan_no))
  const histories = await readSteps(
    tx,
    named.map(({ row }) => row.id),
    first,
  )
  const reserve = await accountBalance(tx, platformAccount('reserve', 'USDT'))
  return new Map(
    named.map((loan) => {
      let [counted, steps] = [loan, histories.get(loan.row.id) ?? []]
      for (const { reference, amount, at } of payments) {
        if (reference !== loan.row.loan_no) continue
        const next = recount(counted, steps, { amount, at, payerId: loan.row.member_id, reserve })
        if (next !== null) [counted, steps] = [next.loan, next.steps]
      }
      return [loan.row.id, counted]
    }),
  )
}

/** How much smaller a debt is after its payments on the way. USDT base units. */
export const onTheWay = (loan: LoanRecord, after: LoanRecord): bigint =>
  totalOf(debtOf(loan.row)) - totalOf(debtOf(after.row))
