import type { Handlers } from '../../kernel/handler.ts'
import { getDepositOrder, type GetDepositOrderDeps } from './get-order.ts'
import { listDeposits } from './list-deposits.ts'

export function depositHandlers(deps: GetDepositOrderDeps): Handlers<'POST deposit/getOrder' | 'GET deposit/list'> {
  return {
    'POST deposit/getOrder': (input, { memberId, now }) => getDepositOrder(deps, input, { memberId, now }),
    'GET deposit/list': (input, { memberId }) => listDeposits(deps, input, memberId),
  }
}
