import { codes } from '@candela/protocol/codes/codes'
import type { Data } from '@candela/protocol/endpoints'
import { poolOf } from '@candela/protocol/money/income'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { RATE_DECIMALS } from '@candela/protocol/units'
import type { Database } from '../../db/open.ts'
import { must } from '../../kernel/assert.ts'
import { AppError } from '../../kernel/errors.ts'

/** The last closed day: what came in for it, what it had to share, and what members were paid. HASH base units. */
export type LastDay = { day: string; revenue: bigint; pool: bigint; paid: bigint; totalUnits: bigint }

/** Null before the first close. */
export async function readLastDay(db: Database): Promise<LastDay | null> {
  const row = await db
    .selectFrom('income_day')
    .selectAll()
    .where('closed_at', 'is not', null)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return null
  const { day, revenue, paid, total_units } = row
  return { day, revenue, pool: poolOf({ revenue, carriedIn: row.carried_in }), paid, totalUnits: total_units }
}

/** Everything that a day was shared by; the last one without a day. @throws AppError 404 when it was not closed yet */
export async function readDay(db: Database, day: string | undefined): Promise<Data<'GET power/day'>> {
  let query = db.selectFrom('income_day').selectAll().orderBy('day', 'desc').limit(1)
  query = day === undefined ? query.where('closed_at', 'is not', null) : query.where('day', '=', day)
  const row = await query.executeTakeFirst()
  if (row === undefined) throw new AppError(codes.notFound)
  const [plans, deposits] = await Promise.all([readPlans(db, row.day), readDeposits(db, row.day)])
  return {
    day: row.day,
    closed: row.closed_at !== null,
    revenue: fromBaseUnits(row.revenue),
    carriedIn: fromBaseUnits(row.carried_in),
    carriedOut: fromBaseUnits(row.revenue + row.carried_in - row.fee - row.paid),
    totalUnits: Number(row.total_units),
    unit: plans[0]?.unit ?? 'T',
    fee: fromBaseUnits(row.fee),
    paid: fromBaseUnits(row.paid),
    accounts: Number(row.accounts),
    plans: plans.map((plan) => ({
      planId: String(plan.plan_id),
      planName: plan.name,
      feeRate: fromBaseUnits(BigInt(plan.fee_ppm), RATE_DECIMALS),
      units: Number(plan.units),
      fee: fromBaseUnits(plan.fee),
    })),
    deposits,
    closedAt: row.closed_at?.toISOString() ?? null,
  }
}

const readPlans = (db: Database, day: string) =>
  db
    .selectFrom('income_day_plan as i')
    .innerJoin('power_plan as p', 'p.id', 'i.plan_id')
    .select(['i.plan_id', 'i.fee_ppm', 'i.units', 'i.fee', 'p.name', 'p.unit'])
    .where('i.day', '=', day)
    .orderBy('i.plan_id')
    .execute()

/** Anyone may deposit revenue, so a page shows the largest of many. */
const MAX_DEPOSITS = 50

async function readDeposits(db: Database, day: string): Promise<Data<'GET power/day'>['deposits']> {
  const rows = await db
    .selectFrom('income_deposit as i')
    .innerJoin('chain_payment as e', 'e.id', 'i.chain_event_id')
    .select(['e.tx_hash', 'e.block_number', 'e.block_at', 'e.payer', 'e.amount', 'e.revenue_day'])
    .where('i.day', '=', day)
    .orderBy('e.amount', 'desc')
    .orderBy('e.id')
    .limit(MAX_DEPOSITS)
    .execute()
  return rows.map((row) => ({
    txHash: row.tx_hash,
    blockNumber: Number(row.block_number),
    at: row.block_at.toISOString(),
    payer: row.payer,
    amount: fromBaseUnits(row.amount),
    forDay: must(row.revenue_day, `deposit ${row.tx_hash} is revenue`),
  }))
}
