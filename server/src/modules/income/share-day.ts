import { poolOf } from '@candela/protocol/money/income'
import { PPM } from '@candela/protocol/units'
import { sql } from 'kysely'
import type { Tx } from '../../db/open.ts'
import { postShares } from '../../ledger/share/share.ts'
import { incomeSharing } from './postings.ts'

/** Above the id of every member. */
const BEYOND_ALL = 2n ** 63n - 1n

/**
 * Pays the next members of the day that is being shared, and closes it after the last ones. The progress is written
 * with the payments: after a crash the next run continues there, and several runs at once work one after the other.
 * @param members how many at most
 * @returns false when no day is being shared
 */
export async function shareNext(tx: Tx, members: number, now: Date): Promise<boolean> {
  const day = await tx
    .selectFrom('income_day')
    .selectAll()
    .where('closed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (day === undefined) return false
  const last = await tx
    .selectFrom('member_power')
    .select('member_id')
    .where('member_id', '>', day.paid_to_member)
    .orderBy('member_id')
    .offset(members - 1)
    .limit(1)
    .executeTakeFirst()
  const to = last?.member_id ?? BEYOND_ALL
  const pool = poolOf({ revenue: day.revenue, carriedIn: day.carried_in })
  const { total, accounts } = await postShares(tx, {
    ...incomeSharing(day.day, day.paid_to_member, day.opened_at),
    // As shareOf in the protocol, plan by plan; what rounding leaves stays in the pool.
    shares: sql`
      select member_id, sum(amount) as amount
      from (
        select o.member_id,
          div(${pool}::numeric * (${PPM}::numeric - p.fee_ppm) * sum(o.units),
            ${PPM}::numeric * ${day.total_units}::numeric) as amount
        from power_order o join income_day_plan p on p.plan_id = o.plan_id and p.day = ${day.day}::date
        where o.member_id > ${day.paid_to_member}::bigint and o.member_id <= ${to}::bigint
          and o.starts_on <= ${day.day}::date and o.ends_on >= ${day.day}::date
        group by o.member_id, o.plan_id, p.fee_ppm
      ) by_plan
      group by member_id`,
  })
  await tx
    .updateTable('income_day')
    .set({
      paid: day.paid + total,
      accounts: day.accounts + accounts,
      paid_to_member: to,
      closed_at: last === undefined ? now : null,
    })
    .where('day', '=', day.day)
    .execute()
  return true
}
