import type { Data } from '@candela/protocol/endpoints'

export type Detail = Data<'GET lending/detail'>
export type Loan = Detail['loan']
export type Due = Detail['dues'][number]
export type Liquidation = Detail['liquidations'][number]
export type Payoff = Data<'GET lending/payoff'>
export type Schedule = Data<'GET lending/schedule'>

/** A loan on which something is still owed. */
export const isOpen = ({ state }: Loan): boolean =>
  state === 'active' || state === 'installment' || state === 'overdue' || state === 'liquidating'
