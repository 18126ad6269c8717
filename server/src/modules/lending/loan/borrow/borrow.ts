import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import { runIdempotent } from '../../../../db/idempotency/run-idempotent.ts'
import { transaction, type Tx } from '../../../../db/open.ts'
import { readSettings } from '../../../../db/settings.ts'
import { readPrices } from '../../../../chain/price/price.ts'
import { lockProject } from '../../project/lend.ts'
import { readFundIdle } from '../../../fund/read-fund.ts'
import type { Caller, LoanDeps } from '../deps.ts'
import { showLoan } from '../orders/get-loan.ts'
import { debtPrice } from '../prices.ts'
import { loanPosting, pledgePosting } from '../record/postings.ts'
import { ceilingOf, takeBelowCeiling } from '../../project/ceiling.ts'
import { openLoan, requireFewLoans } from './open-loan.ts'
import { requireLendable, requireSecured } from './quote.ts'

const endpoint = 'POST lending/borrow'
type Input = HandlerInput<typeof endpoint>

/**
 * Locks collateral and lends money of the fund on it. Once for each request id.
 * @throws AppError 404, 4090 to 4092, 4201 balance, 4202 minimum, 4203 open loans, 4301 collateral or ceiling, 4302 fund, 4305 closed, 5031
 */
export async function borrow(deps: LoanDeps, input: Input, { memberId, now }: Caller): Promise<Data<typeof endpoint>> {
  const { loanNo } = await transaction(deps.db, (tx) =>
    runIdempotent(tx, { memberId, requestId: input.requestId, endpoint, input, now }, () =>
      lend(tx, deps, input, { memberId, now }),
    ),
  )
  return { loan: await showLoan(deps.db, loanNo, { memberId, now }) }
}

async function lend(tx: Tx, deps: LoanDeps, input: Input, { memberId, now }: Caller): Promise<{ loanNo: string }> {
  const { amount, collateral, days, requestId } = input
  const settings = await readSettings(tx)
  await requireFewLoans(tx, memberId, settings)
  const project = await lockProject(tx, input.projectNo)
  requireLendable(project, amount, await readFundIdle(tx), settings)
  const asset = project.collateral_asset
  const prices = await readPrices(tx, now)
  requireSecured(project, amount, collateral, debtPrice(prices, asset).used)
  await takeBelowCeiling(tx, { asset, memberId, amount }, ceilingOf(prices[asset], settings, now))
  const loanNo = deps.ids.orderNumber()
  const loan = {
    kind: 'project' as const,
    loan_no: loanNo,
    member_id: memberId,
    project_id: project.id,
    collateral_asset: asset,
    rate_ppm: project.rate_ppm,
    initial_ppm: project.initial_ppm,
    safety_ppm: project.safety_ppm,
    clearing_ppm: project.clearing_ppm,
    collateral,
    lent: amount,
    days,
  }
  await openLoan(tx, loan, settings, now, (row) => [
    pledgePosting(row, collateral, requestId, now),
    loanPosting(row, amount, now),
  ])
  return { loanNo }
}
