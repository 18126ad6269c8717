import { systemIds } from '@candela/server/kernel/ids'
import { getOrder } from '@candela/server/modules/power/orders/get-order'
import { listAllPlans } from '@candela/server/modules/power/plans/manage-plans'
import type { Hex } from 'viem'
import { approval, chainLimits, clockOf, contractsOf, type Past, send } from './past.ts'

/** Units of the plan that was put on sale first, second, … */
const purchases = [40, 25]

/** Orders power and pays for it, as the app does. */
export async function buyPower(past: Past, { index, memberId }: { index: number; memberId: bigint }): Promise<void> {
  const { db, chain, deployment } = past
  const clock = clockOf(chain)
  const ids = systemIds(clock)
  const contracts = contractsOf(deployment)
  for (const [nth, plan] of (await listAllPlans(db)).slice(0, purchases.length).entries()) {
    const units = purchases[nth] ?? 1
    const { order } = await getOrder(
      { db, ids, contracts, chainLimits },
      { planId: Number(plan.id), units, asset: 'USDT', requestId: ids.uuid() },
      { memberId, now: clock.now() },
    )
    if (order.transaction === null) throw new Error(`order ${order.orderNo} cannot be paid`)
    const { to, data, gas, tuple } = order.transaction
    await send(past, index, [
      approval(contracts.usdt, contracts.gateway, BigInt(tuple[0])),
      { to: to as Hex, data: data as Hex, gas: BigInt(gas) },
    ])
  }
}
