import { codes } from '@candela/protocol/codes/codes'
import { releasable } from '@candela/protocol/lending/lines'
import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import { runIdempotent } from '../../../../db/idempotency/run-idempotent.ts'
import { transaction } from '../../../../db/open.ts'
import { AppError } from '../../../../kernel/errors.ts'
import { readPrices } from '../../../../chain/price/price.ts'
import type { Caller, LoanDeps } from '../deps.ts'
import { showLoan } from '../orders/get-loan.ts'
import { debtPrice } from '../prices.ts'
import { changeLoan, type Step } from '../record/change-loan.ts'
import { nextDueOf, securedOf } from '../record/loan-record.ts'
import { pledgePosting, pledgeReturnPosting } from '../record/postings.ts'

const adding = 'POST lending/addCollateral'
const releasing = 'POST lending/releaseCollateral'
type Input = HandlerInput<typeof adding>

/** Locks more collateral. Once for each request id. @throws AppError 404, 4090 to 4092, 4201, 4303 */
export const addCollateral = (deps: LoanDeps, input: Input, caller: Caller): Promise<Data<typeof adding>> =>
  change(deps, adding, input, caller, (loan) => ({
    loan: { ...loan, row: { ...loan.row, collateral: loan.row.collateral + input.amount } },
    postings: [pledgePosting(loan.row, input.amount, input.requestId, caller.now)],
    notices: [],
  }))

/**
 * Returns collateral that is not needed at the initial rate, of a loan that is not late. Once for each request id.
 * @throws AppError 404, 4090 to 4092, 4301 when less can be released, 4303, 5031
 */
export const releaseCollateral = (deps: LoanDeps, input: Input, caller: Caller): Promise<Data<typeof releasing>> =>
  change(deps, releasing, input, caller, async (loan, today, tx) => {
    const { row } = loan
    const next = nextDueOf(loan)
    if (row.kind === 'lever' || row.state === 'liquidating' || (next !== undefined && next.dueOn < today)) {
      throw new AppError(codes.loanState)
    }
    const price = debtPrice(await readPrices(tx, caller.now), row.collateral_asset).used
    const most = releasable(securedOf(row), price, BigInt(row.initial_ppm))
    if (input.amount > most) throw new AppError(codes.overCreditLimit)
    return {
      loan: { ...loan, row: { ...row, collateral: row.collateral - input.amount } },
      postings: [pledgeReturnPosting(row, input.amount, input.requestId, caller.now)],
      notices: [],
    }
  })

async function change(
  deps: LoanDeps,
  endpoint: typeof adding | typeof releasing,
  input: Input,
  { memberId, now }: Caller,
  step: Step,
): Promise<Data<typeof adding>> {
  const { loanNo, requestId } = input
  await transaction(deps.db, (tx) =>
    runIdempotent(tx, { memberId, requestId, endpoint, input, now, isFree: true }, async () => {
      await changeLoan(tx, { loanNo, memberId }, now, step)
      return {}
    }),
  )
  return { loan: await showLoan(deps.db, loanNo, { memberId, now }) }
}
