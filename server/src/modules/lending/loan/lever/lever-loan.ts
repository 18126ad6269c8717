import { codes } from '@candela/protocol/codes/codes'
import { payoffOf } from '@candela/protocol/lending/repayment'
import type { CollateralAsset } from '@candela/protocol/lending/choices'
import { mulDivUp } from '@candela/protocol/money/money'
import { utcDay } from '@candela/protocol/calendar'
import type { Database, Tx } from '../../../../db/open.ts'
import { AppError } from '../../../../kernel/errors.ts'
import { timeOfId } from '../../../../kernel/ids.ts'
import { accountBalance } from '../../../../ledger/balances.ts'
import { loanAccount, platformAccount } from '../../../../ledger/chart.ts'
import type { Posting } from '../../../../ledger/post.ts'
import { changeLoan, type Step } from '../record/change-loan.ts'
import { loanOf, type LoanRecord, type LoanRow } from '../record/loan-record.ts'
import { loanPostingId, positive, usdtOf } from '../record/postings.ts'
import { type Change, chargeStep, join } from '../record/steps.ts'
import { readLoan } from '../record/store.ts'
import { payFromBalance, requireRepayable } from '../repay/repay.ts'
import { isAtLine, reasonFor } from '../watch/liquidate-step.ts'

/** An act of a leveraged loan's owner. */
type Act = { loanNo: string; memberId: bigint; requestId: string; now: Date }

/** @throws AppError 404, 4303 for a loan that is closed or not leveraged */
const changeLever = (tx: Tx, { loanNo, memberId, now }: Act, step: Step) =>
  changeLoan(tx, { loanNo, memberId }, now, (loan, today, within) => {
    if (loan.row.kind !== 'lever') throw new AppError(codes.loanState)
    return step(loan, today, within)
  })

/** Pays a part of the debt from the balance, or all of it. @throws AppError 404, 4201, 4303 */
export async function addMargin(tx: Tx, act: Act, amount: bigint): Promise<void> {
  await changeLever(tx, act, (loan, today) => {
    requireRepayable(loan, amount, today)
    return payFromBalance(loan, amount, today, act.requestId, act.now).change
  })
}

/** The collateral that the desk takes, and what it pays for it in USDT base units; `fee` is on top of `proceeds`. */
export type Proceeds = { sold: bigint; proceeds: bigint; fee: bigint }

/** A percentage of a position, of a loan that is charged up to today. */
export type Part = {
  asset: CollateralAsset
  amount: bigint
  /** That part of the debt, USDT base units. */
  due: bigint
  /** Whether the position is to be liquidated, at this price at a line. */
  isDueAt: (price: bigint) => boolean
}

const partOf = (loan: LoanRecord, percent: number, today: string): Part => ({
  asset: loan.row.collateral_asset,
  amount: (loan.row.collateral * BigInt(percent)) / 100n,
  due: mulDivUp(payoffOf(loanOf(loan), today), BigInt(percent), 100n),
  isDueAt: (price) => reasonFor(loan, today) !== 'line' || isAtLine(loan.row, price),
})

/** A part of a position that its owner may close. @throws AppError 404, 4303 for a loan that is closed or not leveraged */
export async function readPart(
  db: Database,
  { loanNo, memberId, percent, now }: Omit<Act, 'requestId'> & { percent: number },
): Promise<Part> {
  const loan = await readLoan(db, { loanNo, memberId })
  if (loan.row.kind !== 'lever' || loan.row.closed_at !== null) throw new AppError(codes.loanState)
  const today = utcDay(now)
  return partOf(chargeStep(loan, today, now).loan, percent, today)
}

/**
 * Sells a percentage of the collateral to the desk, or as much of it as `sell` says, and repays the same part of the debt from
 * what it brings. For the whole of it the balance pays what is missing, and collateral that was not sold is returned.
 * @throws AppError 404, 4303, 4301 when a part brings less than its part of the debt, or the balance is short, and what
 * `sell` throws
 */
export async function closePart(
  tx: Tx,
  act: Act & { percent: number },
  sell: (part: Part) => Promise<Proceeds>,
): Promise<Proceeds & { repaid: bigint; kept: bigint }> {
  const { percent, requestId, now } = act
  let done: (Proceeds & { repaid: bigint; kept: bigint }) | undefined
  await changeLever(tx, act, async (loan, today, within) => {
    const { row } = loan
    const part = partOf(loan, percent, today)
    const { due } = part
    const { sold, proceeds, fee } = await sell(part)
    const own = percent === 100 ? await accountBalance(within, usdtOf(row)) : 0n
    if (proceeds + own < due) throw new AppError(codes.overCreditLimit)
    const sale: Change = {
      loan: { ...loan, row: { ...row, collateral: row.collateral - sold } },
      postings: [closePosting(row, { sold, proceeds, fee, requestId }, now)],
      notices: [],
    }
    const { change, paid } = payFromBalance(sale.loan, due, today, requestId, now)
    done = { sold, proceeds, fee, repaid: paid, kept: part.amount - sold }
    return join(sale, change)
  })
  if (done === undefined) throw new AppError(codes.loanState)
  return done
}

function closePosting(
  row: LoanRow,
  { sold, proceeds, fee, requestId }: Proceeds & { requestId: string },
  now: Date,
): Posting {
  const desk = platformAccount('deskInventory', 'USDT')
  return {
    id: loanPostingId(row, `lever-close:${requestId}`, timeOfId(requestId)),
    kind: 'lever-close',
    legs: positive([
      {
        debit: loanAccount(row.id, 'loanCollateral', row.collateral_asset),
        credit: platformAccount('deskInventory', row.collateral_asset),
        amount: sold,
      },
      { debit: desk, credit: usdtOf(row), amount: proceeds },
      { debit: desk, credit: platformAccount('fees', 'USDT'), amount: fee },
    ]),
    memo: { loanNo: row.loan_no },
    occurredAt: now,
  }
}

/** The purchase of a leveraged loan. Base units; `fee` is in the asset. */
export type Purchase = { margin: bigint; loan: bigint; bought: bigint; fee: bigint }

/** Margin and loan buy the collateral from the desk. */
export function openPosting(row: LoanRow, { margin, loan, bought, fee }: Purchase, now: Date): Posting {
  const paid = platformAccount('deskInventory', 'USDT')
  const stock = platformAccount('deskInventory', row.collateral_asset)
  return {
    id: loanPostingId(row, 'lever-open'),
    kind: 'lever-open',
    legs: positive([
      { debit: usdtOf(row), credit: paid, amount: margin },
      { debit: platformAccount('fundIdle', 'USDT'), credit: paid, amount: loan },
      {
        debit: loanAccount(row.id, 'loanPrincipal', 'USDT'),
        credit: platformAccount('fundClaims', 'USDT'),
        amount: loan,
      },
      { debit: stock, credit: loanAccount(row.id, 'loanCollateral', row.collateral_asset), amount: bought },
      { debit: stock, credit: platformAccount('fees', row.collateral_asset), amount: fee },
    ]),
    memo: { loanNo: row.loan_no },
    occurredAt: now,
  }
}
