import { DAY_MS } from '@candela/protocol/units'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../db/open.ts'
import { queryRows } from '../../db/query-rows.ts'
import type { Unseen } from './terms.ts'

const unseenRow = z.object({ byNobody: z.bigint(), byLessThanTwo: z.bigint() })

/** Sums the member's withdrawals of the last 24 hours, but for one. What was given back does not count. */
export async function readUnseen(db: Database, memberId: bigint, now: Date, but = 0n): Promise<Unseen> {
  const [row] = await queryRows(
    db,
    unseenRow,
    sql`
    select coalesce(sum(worth_usdt) filter (where approvals = 0), 0) as "byNobody",
      coalesce(sum(worth_usdt) filter (where approvals < 2), 0) as "byLessThanTwo"
    from withdrawal
    where member_id = ${memberId} and created_at > ${new Date(now.getTime() - DAY_MS)} and id <> ${but}
      and state not in ('rejected', 'failed')`,
  )
  return row ?? { byNobody: 0n, byLessThanTwo: 0n }
}
