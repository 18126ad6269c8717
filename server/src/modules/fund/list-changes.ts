import { sharePrice } from '@candela/protocol/fund/fund'
import type { Data } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Database } from '../../db/open.ts'
import { statesOf } from './holding.ts'

/** Every change of the share price between two instants, in order. */
export async function listFundChanges(
  db: Database,
  { since, before }: { since: Date; before: Date },
): Promise<Data<'GET solvency/day'>['fund']> {
  const rows = await db
    .selectFrom('fund_price')
    .selectAll()
    .where('at', '>=', since)
    .where('at', '<', before)
    .orderBy('place')
    .execute()
  return rows.map((row) => {
    const [earlier, later] = statesOf(row)
    const text = ({ assets, shares }: typeof later) => ({
      assets: fromBaseUnits(assets),
      shares: fromBaseUnits(shares),
    })
    return {
      reason: row.reason,
      closed: row.day,
      at: row.at.toISOString(),
      before: text(earlier),
      after: text(later),
      price: fromBaseUnits(sharePrice(later)),
    }
  })
}
