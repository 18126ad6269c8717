import { possibleCounts } from '@candela/protocol/lending/schedule'
import type { Data } from '@candela/protocol/endpoints'
import { toBaseUnits } from '@candela/protocol/money/money'

export type Detail = Data<'GET lending/detail'>
export type Loan = Detail['loan']
export type Due = Detail['dues'][number]
export type Liquidation = Detail['liquidations'][number]
export type Payoff = Data<'GET lending/payoff'>
export type Schedule = Data<'GET lending/schedule'>

/** In how many installments a loan may be paid now; none when too little is owed. */
export const countsFor = ({ loan, terms }: Detail) =>
  possibleCounts(toBaseUnits(loan.principal), toBaseUnits(terms.installmentFee))

/** A loan on which something is still owed. */
export const isOpen = ({ state }: Loan): boolean =>
  state === 'active' || state === 'installment' || state === 'overdue' || state === 'liquidating'
