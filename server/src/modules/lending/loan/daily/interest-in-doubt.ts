import { addDays, startOfDay } from '@candela/protocol/calendar'
import { PPM } from '@candela/protocol/units'
import { sql } from 'kysely'
import { z } from 'zod'
import { readFollowedHead } from '../../../../chain/follow/followed-block.ts'
import { queryRows } from '../../../../db/query-rows.ts'
import type { Tx } from '../../../../db/open.ts'
import { must } from '../../../../kernel/assert.ts'

const inDoubtRow = z.object({ amount: z.bigint() })

/**
 * How much of the interest that was charged a payment on chain may take back, because it counts from its block: at most what the loans
 * that payments name were charged since. Null is all of it: crediting is halted, or blocks of the day are not followed yet.
 * USDT base units.
 * @param day UTC day that is closed
 */
export async function interestInDoubt(tx: Tx, day: string): Promise<bigint | null> {
  const head = await readFollowedHead(tx)
  if (head === null) return 0n
  if (head.isHalted || head.at === null || head.at < startOfDay(addDays(day, 1))) return null
  const rows = await queryRows(
    tx,
    inDoubtRow,
    sql`
    select coalesce(sum(late_charged + least(interest_charged,
      div(lent * rate_ppm + ${365n * PPM - 1n}::numeric, ${365n * PPM}::numeric) * greatest(0, interest_through - since))), 0) as amount
    from (
      select reference, min((block_at at time zone 'UTC')::date) as since
      from uncredited_payment where action = 'repay' and asset = 'USDT' group by reference
    ) paid join loan_with_debt loan on loan.loan_no = paid.reference`,
  )
  return must(rows[0], 'a sum is one row').amount
}
