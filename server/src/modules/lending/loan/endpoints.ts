import { pageQuery, toPage } from '../../../db/page.ts'
import type { Handlers } from '../../../kernel/handler.ts'
import { readPrices } from '../../../chain/price/price.ts'
import { borrow } from './borrow/borrow.ts'
import { quoteLoan } from './borrow/quote.ts'
import { addCollateral, releaseCollateral } from './collateral/change-collateral.ts'
import type { LoanDeps } from './deps.ts'
import { describeLoan } from './orders/describe-loan.ts'
import { findLoans } from './orders/find-loans.ts'
import { getLoan } from './orders/get-loan.ts'
import { listEntries } from './orders/list-entries.ts'
import { getPayoff } from './repay/payoff.ts'
import { prepareRepayment } from './repay/prepare-repayment.ts'
import { repayLoan } from './repay/repay.ts'
import { getSchedule, turnIntoInstallments } from './repay/schedule.ts'

type LendingKey =
  | `GET lending/${'orders' | 'detail' | 'entries' | 'quote' | 'payoff' | 'schedule' | 'transaction'}`
  | `POST lending/${'borrow' | 'repay' | 'installment' | 'addCollateral' | 'releaseCollateral'}`

export function loanHandlers(deps: LoanDeps): Handlers<LendingKey> {
  const { db } = deps
  return {
    'GET lending/orders': async (input, { memberId, now }) => {
      const { before, limit } = pageQuery(input)
      const open = input.open === undefined ? undefined : input.open === '1'
      const [found, prices] = await Promise.all([
        findLoans(db, { memberId, open, before, limit: limit + 1 }),
        readPrices(db, now),
      ])
      const rows = found.map((loan) => ({ id: loan.row.id, loan }))
      return toPage(rows, limit, ({ loan }) => describeLoan(loan, prices, now))
    },
    'GET lending/detail': (input, { memberId, now }) => getLoan(db, input, { memberId, now }),
    'GET lending/entries': (input, { memberId, lang }) => listEntries(db, input, { memberId, lang }),
    'GET lending/quote': (input, { memberId, now }) => quoteLoan(db, input, { memberId, now }),
    'POST lending/borrow': (input, { memberId, now }) => borrow(deps, input, { memberId, now }),
    'GET lending/payoff': ({ loanNo }, { memberId, now }) => getPayoff(db, loanNo, { memberId, now }),
    'GET lending/transaction': (input, { memberId }) => prepareRepayment(deps, input, { memberId }),
    'POST lending/repay': (input, { memberId, now }) => repayLoan(deps, input, { memberId, now }),
    'GET lending/schedule': (input, { memberId, now }) => getSchedule(db, input, { memberId, now }),
    'POST lending/installment': (input, { memberId, now }) => turnIntoInstallments(deps, input, { memberId, now }),
    'POST lending/addCollateral': (input, { memberId, now }) => addCollateral(deps, input, { memberId, now }),
    'POST lending/releaseCollateral': (input, { memberId, now }) => releaseCollateral(deps, input, { memberId, now }),
  }
}
