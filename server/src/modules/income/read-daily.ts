import { addDays, yesterdayOf } from '@candela/protocol/calendar'
import type { Data } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Database } from '../../db/open.ts'
import { memberAccount } from '../../ledger/chart.ts'
import { statement } from '../../ledger/statement/statement.ts'
import { dayOf } from './list-incomes.ts'

/** Reads what a member's power put out on each of so many days, oldest first. As many rows are read, however long the history is. */
export async function readDaily(
  db: Database,
  memberId: bigint,
  days: number,
  now: Date,
): Promise<Data<'GET user/incomeDaily'>> {
  const last = yesterdayOf(now)
  const first = addDays(last, 1 - days)
  const account = memberAccount(memberId, 'memberAvailable', 'HASH')
  const [paid, closed] = await Promise.all([
    // The newest are enough, because a day pays an account once.
    statement(db, { accounts: [account], kinds: ['income'], limit: days, cursor: undefined }),
    db.selectFrom('income_day').select('day').where('day', '>=', first).where('closed_at', 'is not', null).execute(),
  ])
  const amounts = new Map(paid.items.map((line) => [dayOf(line), line.amount]))
  const closedDays = new Set(closed.map(({ day }) => day))
  const items = Array.from({ length: days }, (_, nth) => {
    const day = addDays(first, nth)
    return { day, amount: fromBaseUnits(amounts.get(day) ?? 0n), closed: closedDays.has(day) }
  })
  return { items }
}
