import { notify } from '../../notice/notify.ts'
import type { Tx } from '../../../db/open.ts'
import { sql } from 'kysely'
import { queryRows } from '../../../db/query-rows.ts'
import { z } from 'zod'
import { removePower } from './change-power.ts'
import { utcDay } from '@candela/protocol/calendar'

const endedRow = z.object({ id: z.bigint(), member_id: z.bigint(), order_no: z.string(), units: z.bigint() })

/**
 * Ends the power of active orders whose last day is over in UTC, and tells their owners. Running it again, or twice at the same time, changes
 * nothing more.
 * @returns how many orders ended; as many as `limit` means that more may be due
 */
export async function expirePower(tx: Tx, now: Date, limit = 1_000): Promise<number> {
  const rows = await queryRows(
    tx,
    endedRow,
    sql`
    with due as (
      select id from power_order where state = 'active' and ends_on < ${utcDay(now)}::date
      order by ends_on, id limit ${limit}
      for update skip locked
    )
    update power_order o set state = 'expired' from due where o.id = due.id
    returning o.id, o.member_id, o.order_no, o.units`,
  )
  const ended = rows.map(({ id }) => id).toSorted((a, b) => (a < b ? -1 : 1))
  await removePower(tx, ended, now)
  await notify(
    tx,
    ...rows.map(({ member_id, order_no, units }) => ({
      kind: 'powerExpired' as const,
      params: { orderNo: order_no, units: units.toString() },
      memberId: member_id,
      source: `order:${order_no}:expired`,
      at: now,
    })),
  )
  return ended.length
}
