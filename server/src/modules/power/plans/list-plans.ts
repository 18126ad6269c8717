import type { Data } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Database } from '../../../db/open.ts'
import { utcDayAfter } from '../holdings/term.ts'

/** Plans that are on sale, oldest first; one without units left is among them until the operator closes it. */
export async function listPlans(db: Database, now: Date): Promise<Data<'GET power/plans'>> {
  const rows = await db.selectFrom('power_plan').selectAll().where('closed_at', 'is', null).orderBy('id').execute()
  const items = rows.map((row) => ({
    id: String(row.id),
    name: row.name,
    description: row.description,
    picture: row.picture_url,
    unit: row.unit,
    unitPrice: fromBaseUnits(row.unit_price),
    termDays: row.term_days,
    minUnits: Number(row.min_units),
    maxUnits: Number(row.max_units),
    unitsLeft: Number(row.units_left),
    totalUnits: Number(row.total_units),
    serviceFeeRate: feeRate(row.service_fee_ppm),
    startsOn: utcDayAfter(now, 1),
  }))
  return { items }
}

/** Millionths to a fraction as a decimal text: 50000 is "0.05". */
const feeRate = (fee_ppm: number): string => fromBaseUnits(BigInt(fee_ppm), 6)
