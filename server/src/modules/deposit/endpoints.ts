import type { Handlers } from '../../kernel/handler.ts'
import { listDust } from './dust/list-dust.ts'
import { getDepositOrder, type GetDepositOrderDeps } from './get-order.ts'
import { listDeposits } from './list-deposits.ts'

export function depositHandlers(
  deps: GetDepositOrderDeps,
): Handlers<'POST deposit/getOrder' | 'GET deposit/dust' | 'GET deposit/list'> {
  return {
    'POST deposit/getOrder': (input, { memberId, now }) => getDepositOrder(deps, input, { memberId, now }),
    'GET deposit/dust': (input, { memberId }) => listDust(deps.db, input, memberId),
    'GET deposit/list': (input, { memberId }) => listDeposits(deps, input, memberId),
  }
}
