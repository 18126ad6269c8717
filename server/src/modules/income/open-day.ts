import { poolOf, serviceFeeOf } from '@candela/protocol/money/income'
import { sql } from 'kysely'
import { queryRows } from '../../db/query-rows.ts'
import { z } from 'zod'
import { columnsOf, rowsOf } from '../../db/any-of.ts'
import type { Database, Tx } from '../../db/open.ts'
import { post } from '../../ledger/post.ts'
import { addDays } from '@candela/protocol/calendar'
import { serviceFeePosting } from './postings.ts'
import { lockFollowed, whyWait } from './why-wait.ts'

/** `isSharing`: another run has opened a day meanwhile, which is to be shared first. */
export type Opening = { opened: string } | { waits: string } | { isSharing: true } | null

/**
 * Fixes the figures of the next day and takes the service fee; after that only its members have to be paid. Days come
 * in order; a deposit that came too late for its own day counts for this one. A day without revenue, or without any
 * power, is closed by this already, and what there is stays for the next.
 * @returns null when every day up to `upTo` was opened before
 */
export async function openNextDay(
  tx: Tx,
  { upTo, now, ...waiting }: { upTo: string; depth: number; maxWait_ms: number; now: Date },
): Promise<Opening> {
  const cursor = await lockFollowed(tx)
  const open = await tx.selectFrom('income_day').select('day').where('closed_at', 'is', null).executeTakeFirst()
  if (open !== undefined) return { isSharing: true }
  const day = await nextDay(tx)
  if (day === null || day > upTo) return null
  const waits = await whyWait(tx, cursor, day, waiting)
  if (waits !== null) return { waits }
  await openDay(tx, day, now)
  return { opened: day }
}

/** The first day that power which is paid for now may start on; null before the first close. */
export async function firstOpenDay(db: Database): Promise<string | null> {
  const last = await db
    .selectFrom('income_day')
    .select(({ fn }) => fn.max('day').as('day'))
    .executeTakeFirst()
  return last === undefined || last.day === null ? null : addDays(last.day, 1)
}

/**
 * The day to close next: the one after the last, or the first that had power. Revenue that came before there was any
 * power waits for that day; otherwise anyone could choose by a deposit where closing begins.
 */
async function nextDay(tx: Tx): Promise<string | null> {
  const open = await firstOpenDay(tx)
  if (open !== null) return open
  const first = await tx
    .selectFrom('power_order')
    .select(({ fn }) => fn.min('starts_on').as('day'))
    .executeTakeFirst()
  return first?.day ?? null
}

async function openDay(tx: Tx, day: string, now: Date): Promise<void> {
  const revenue = await countRevenue(tx, day)
  const carriedIn = await leftOver(tx)
  const plans = await readPlans(tx, day)
  const totalUnits = plans.reduce((sum, { units }) => sum + units, 0n)
  const sharing = { pool: poolOf({ revenue, carriedIn }), totalUnits }
  const shared = plans.map((plan) => ({ ...plan, fee: serviceFeeOf(sharing, BigInt(plan.fee_ppm), plan.units) }))
  const fee = shared.reduce((sum, plan) => sum + plan.fee, 0n)
  await tx
    .insertInto('income_day')
    .values({
      day,
      revenue,
      carried_in: carriedIn,
      total_units: totalUnits,
      fee,
      opened_at: now,
      closed_at: sharing.pool === 0n || totalUnits === 0n ? now : null,
    })
    .execute()
  if (shared.length > 0) {
    const rows = shared.map((plan) => ({ day, ...plan }))
    await tx
      .insertInto('income_day_plan')
      .columns(columnsOf(rows))
      .expression(rowsOf('income_day_plan', rows))
      .execute()
  }
  await assignDeposits(tx, day)
  if (fee > 0n) await post(tx, serviceFeePosting(day, fee, now))
}

/** Credited deposits for this day or an earlier one that no day has counted. */
const uncounted = (day: string) => sql`
  from chain_payment e
  where e.action = 'revenue' and e.outcome = 'revenue' and not e.orphaned and e.revenue_day <= ${day}::date
    and not exists (select from income_deposit i where i.chain_event_id = e.id)`

const revenueRow = z.object({ sum: z.bigint().nullable() })

async function countRevenue(tx: Tx, day: string): Promise<bigint> {
  const rows = await queryRows(tx, revenueRow, sql`select sum(amount) ${uncounted(day)}`)
  return rows[0]?.sum ?? 0n
}

async function assignDeposits(tx: Tx, day: string): Promise<void> {
  await sql`insert into income_deposit (chain_event_id, day) select e.id, ${day}::date ${uncounted(day)}`.execute(tx)
}

async function leftOver(tx: Tx): Promise<bigint> {
  const last = await tx
    .selectFrom('income_day')
    .select(['revenue', 'carried_in', 'fee', 'paid'])
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last === undefined ? 0n : last.revenue + last.carried_in - last.fee - last.paid
}

const planRow = z.object({ plan_id: z.bigint(), fee_ppm: z.number(), units: z.bigint() })

/** Units that earn on the day, by plan. Expired power counts for the days that it ran. */
async function readPlans(tx: Tx, day: string): Promise<{ plan_id: bigint; fee_ppm: number; units: bigint }[]> {
  const rows = await queryRows(
    tx,
    planRow,
    sql`
    select p.id as plan_id, p.service_fee_ppm as fee_ppm, sum(o.units)::bigint as units
    from power_order o join power_plan p on p.id = o.plan_id
    where o.starts_on <= ${day}::date and o.ends_on >= ${day}::date
    group by p.id order by p.id`,
  )
  return rows
}
