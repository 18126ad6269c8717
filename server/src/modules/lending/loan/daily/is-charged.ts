import type { Database } from '../../../../db/open.ts'

/**
 * True when the interest of every day up to this one was charged. While it was not, nobody may enter the fund: who comes in pays for
 * the interest that is charged, and would get a part of that of the missing days for nothing.
 */
export async function isCharged(db: Database, day: string): Promise<boolean> {
  const last = await db.selectFrom('loan_day').selectAll().orderBy('day', 'desc').limit(1).executeTakeFirst()
  if (last !== undefined) return last.day >= day && last.closed_at !== null
  // Before the first close: nothing is missing as long as no loan has gone into a day that is not charged.
  const uncharged = await db
    .selectFrom('loan_debt')
    .select('loan_id')
    .where('next_due_on', 'is not', null)
    .where('interest_through', '<', day)
    .limit(1)
    .executeTakeFirst()
  return uncharged === undefined
}
