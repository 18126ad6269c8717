import { codes } from '@candela/protocol/codes/codes'
import { nextPayment, payoffOf } from '@candela/protocol/lending/repayment'
import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import { dustSteps, isDust } from '@candela/protocol/money/dust'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { runIdempotent } from '../../../../db/idempotency/run-idempotent.ts'
import { transaction, type Tx } from '../../../../db/open.ts'
import { AppError, invalidInput } from '../../../../kernel/errors.ts'
import { accountBalance } from '../../../../ledger/balances.ts'
import type { Caller, LoanDeps } from '../deps.ts'
import { showLoan } from '../orders/get-loan.ts'
import { changeLoan } from '../record/change-loan.ts'
import { loanOf, type LoanRecord } from '../record/loan-record.ts'
import { repaymentPosting, usdtOf } from '../record/postings.ts'
import { type Change, endStep, join, paidOf, repayStep } from '../record/steps.ts'

const endpoint = 'POST lending/repay'
type Input = HandlerInput<typeof endpoint>
type Result = Omit<Data<typeof endpoint>, 'loan'>

/**
 * Pays a loan from its member's balance. Once for each request id. The last payment returns the collateral.
 * @throws AppError 404, 4090 to 4092, 4201 with what is available, 4204 when it takes more than was shown, 4210 when it takes more than it may, 4303
 */
export async function repayLoan(
  deps: LoanDeps,
  input: Input,
  { memberId, now }: Caller,
): Promise<Data<typeof endpoint>> {
  const { loanNo, requestId } = input
  const result = await transaction(deps.db, (tx) =>
    // A repayment that ends a loan, or pays what is due, is never refused for what was done before.
    runIdempotent<Result>(tx, { memberId, requestId, endpoint, input, now, isFree: input.mode === 'amount' }, () =>
      repayNow(tx, input, { memberId, now }),
    ),
  )
  return { loan: await showLoan(deps.db, loanNo, { memberId, now }), ...result }
}

async function repayNow(tx: Tx, input: Input, { memberId, now }: Caller): Promise<Result> {
  let result: Result | undefined
  await changeLoan(tx, { loanNo: input.loanNo, memberId }, now, async (loan, today) => {
    const amount = wanted(loan, input, today)
    const available = await accountBalance(tx, usdtOf(loan.row))
    const { change, ...paid } = payFromBalance(loan, amount, today, input.requestId, now)
    if (paid.paid > available) {
      throw new AppError(codes.notEnoughBalance, { available: fromBaseUnits(available), asset: 'USDT' })
    }
    result = {
      paid: fromBaseUnits(paid.paid),
      parts: {
        charges: fromBaseUnits(paid.parts.charges),
        fees: fromBaseUnits(paid.parts.fees),
        interest: fromBaseUnits(paid.parts.interest),
        principal: fromBaseUnits(paid.parts.principal),
      },
    }
    return change
  })
  if (result === undefined) throw new AppError(codes.loanState)
  return result
}

/** @throws AppError 4210 when more is needed by now than may be paid, 4204 when it is more than was shown */
function wanted(loan: LoanRecord, { mode, amount, maxAmount }: Input, today: string): bigint {
  if (mode === 'amount') {
    if (amount === undefined) throw invalidInput('amount', 'missing')
    if (maxAmount !== undefined) throw invalidInput('maxAmount')
    requireRepayable(loan, amount, today)
    return amount
  }
  const needed = mode === 'full' ? payoffOf(loanOf(loan), today) : nextPayment(loanOf(loan), today)
  if (maxAmount !== undefined && needed > maxAmount) {
    throw new AppError(codes.aboveMaxAmount, { needed: `${fromBaseUnits(needed)} USDT` })
  }
  if (maxAmount === undefined && amount !== undefined && needed > amount) throw new AppError(codes.priceMoved)
  return needed
}

/** @throws AppError 4202 for less than is worth a posting, unless it ends the debt */
export function requireRepayable(loan: LoanRecord, amount: bigint, today: string): void {
  if (!isDust('USDT', amount) || amount >= payoffOf(loanOf(loan), today)) return
  throw new AppError(codes.belowMinimum, { minimum: `${fromBaseUnits(dustSteps.USDT)} USDT` })
}

/** @param cause names the payment: a request id. @param amount the most that is taken */
export function payFromBalance(loan: LoanRecord, amount: bigint, today: string, cause: string, now: Date) {
  const { loan: repaid, parts, paid } = repayStep(loan, usdtOf(loan.row), amount, today)
  const change: Change = {
    loan: repaid,
    postings: [repaymentPosting(loan.row, parts, paidOf(loan.row), cause, now)],
    notices: [],
    done: { kind: 'payment', payerId: loan.row.member_id, parts },
  }
  return { change: join(change, endStep(repaid, 'repaid', now)), parts, paid }
}
