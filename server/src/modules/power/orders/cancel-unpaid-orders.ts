import type { Tx } from '../../../db/open.ts'
import { sql } from 'kysely'
import { queryRows } from '../../../db/query-rows.ts'
import { z } from 'zod'
import { readFollowedHead } from '../../../chain/follow/followed-block.ts'
import { countedAt, readStandstills } from '../../../chain/follow/standstill.ts'
import { changeUnits } from '../plans/plan.ts'
import { willSettle } from '../settlement/will-settle.ts'

const cancelledRow = z.object({ plan_id: z.bigint(), released: z.bigint() })

/**
 * Cancels pending orders that can no longer be paid in time and puts units that were set aside for them back on sale.
 * The chain's own time decides, less the time for which it stood still before: an order stays while a block that we have not read may hold its payment, or a recorded
 * payment waits for its depth. Running it again, or twice at the same time, changes nothing more.
 * @returns how many orders were cancelled; as many as `limit` means that more may be due
 */
export async function cancelUnpaidOrders(tx: Tx, now: Date, limit = 1_000): Promise<number> {
  const head = await readFollowedHead(tx)
  if (head === null || head.at === null) return 0
  const chainTime = countedAt(await readStandstills(tx), head.at)
  const rows = await queryRows(
    tx,
    cancelledRow,
    sql`
    with due as (
      select o.id, o.is_reserved from power_order o join member m on m.id = o.member_id
      where o.state = 'pending'
        and o.pay_before < ${chainTime}
        and not exists (select 1 from chain_payment e where ${willSettle})
      order by o.pay_before, o.id limit ${limit}
      for update of o skip locked
    )
    update power_order o set state = 'cancelled', settled_at = ${now}, is_reserved = false from due where o.id = due.id
    returning o.plan_id, case when due.is_reserved then o.units else 0 end as released`,
  )
  await changeUnits(
    tx,
    rows.map(({ plan_id, released }) => ({ planId: plan_id, left: released, reserved: -released })),
  )
  return rows.length
}
