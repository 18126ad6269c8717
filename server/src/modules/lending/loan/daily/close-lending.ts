import { addDays, yesterdayOf, startOfDay } from '@candela/protocol/calendar'
import { type Database, transaction, type Tx } from '../../../../db/open.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import { closeFundDay } from '../../../fund/close-day.ts'
import { chargeDay } from './charge-day.ts'
import type { DailyDeps } from './deps.ts'
import { PPM } from '@candela/protocol/units'
import { sql } from 'kysely'
import { z } from 'zod'
import { readFollowedHead } from '../../../../chain/follow/followed-block.ts'
import { queryRows } from '../../../../db/query-rows.ts'
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

/**
 * Closes every day up to this one that is not closed yet: the fund first, then the loans are charged for the day after.
 * May be killed at any instant and run any number of times.
 * @returns the days that were closed
 */
export async function closeLending(deps: DailyDeps & { clock: Clock }, upTo: string): Promise<string[]> {
  const closed: string[] = []
  for (;;) {
    const now = deps.clock.now()
    const day = await nextDay(deps.db, upTo)
    if (day === null || day > yesterdayOf(now)) return closed
    await transaction(deps.db, async (tx) => closeFundDay(tx, day, await interestInDoubt(tx, day), now))
    await chargeDay(deps, addDays(day, 1), now)
    closed.push(day)
  }
}

/** The earliest day to close; null when all are closed. The first ever is the one that is asked for. */
async function nextDay(db: Database, upTo: string): Promise<string | null> {
  const last = await db.selectFrom('loan_day').selectAll().orderBy('day', 'desc').limit(1).executeTakeFirst()
  if (last === undefined) return upTo
  const next = last.closed_at === null ? addDays(last.day, -1) : last.day
  return next <= upTo ? next : null
}
