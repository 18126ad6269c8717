import { pageQuery, toPage } from '../../db/page.ts'
import type { Handlers } from '../../kernel/handler.ts'
import { calculate } from './orders/calculate.ts'
import { getOrder, type GetOrderDeps } from './orders/get-order.ts'
import { listPlans } from './plans/list-plans.ts'
import { listPowerLog } from './holdings/list-power-log.ts'
import { readOrders } from './orders/read-orders.ts'

export function powerHandlers(
  deps: GetOrderDeps,
): Handlers<
  'GET power/plans' | 'GET power/calc' | 'POST power/getOrder' | 'GET power/orderList' | 'GET user/powerLog'
> {
  const { db, contracts } = deps
  return {
    'GET power/plans': (_input, { now }) => listPlans(db, now),
    'GET power/calc': (input, { now }) => calculate(db, input, now),
    'POST power/getOrder': (input, { memberId, now }) => getOrder(deps, input, { memberId, now }),
    'GET power/orderList': async (input, { memberId, now }) => {
      const { before, limit } = pageQuery(input)
      const { orderNo, state } = input
      const rows = await readOrders(db, contracts, { memberId, orderNo, state, before, limit: limit + 1, now })
      return toPage(rows, limit, ({ order }) => order)
    },
    'GET user/powerLog': (input, { memberId }) => listPowerLog(db, memberId, pageQuery(input)),
  }
}
