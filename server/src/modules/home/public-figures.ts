import type { Data } from '@candela/protocol/endpoints'
import { fromBaseUnits, mulDiv } from '@candela/protocol/money/money'
import type { Database } from '../../db/open.ts'

type Yesterday = Data<'GET home/public'>['yesterday']
export type PublicFigures = { totalUnits: number; unit: string; accounts: number; yesterday: Yesterday }

/** The last closed day: its own revenue and what it paid to members, in HASH base units. */
export type ReadLastDay = (
  db: Database,
) => Promise<{ day: string; revenue: bigint; paid: bigint; totalUnits: bigint } | null>

/** Anyone may ask, and the sums run over all members, so one answer serves everybody for this long. */
const KEEP_MS = 3_000

/** Reads the figures at most once in three seconds, however many ask at the same time. */
export function createPublicFigures(db: Database, readLastDay: ReadLastDay): (now: Date) => Promise<PublicFigures> {
  let kept: { at: Date; figures: Promise<PublicFigures> } | undefined
  return async (now) => {
    if (kept === undefined || Math.abs(now.getTime() - kept.at.getTime()) >= KEEP_MS) {
      kept = { at: now, figures: readFigures(db, readLastDay) }
    }
    const current = kept
    try {
      return await current.figures
    } catch (error) {
      // A failure is not kept: the next one asks again.
      if (kept === current) kept = undefined
      throw error
    }
  }
}

async function readFigures(db: Database, readLastDay: ReadLastDay): Promise<PublicFigures> {
  const [power, members, plan, lastDay] = await Promise.all([
    db
      .selectFrom('member_power')
      .select(({ fn }) => fn.sum<bigint | null>('active_units').as('units'))
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('member')
      .select(({ fn }) => fn.countAll<bigint>().as('count'))
      .executeTakeFirstOrThrow(),
    db.selectFrom('power_plan').select('unit').orderBy('id').limit(1).executeTakeFirst(),
    readLastDay(db),
  ])
  return {
    totalUnits: Number(power.units ?? 0n),
    unit: plan?.unit ?? 'T',
    accounts: Number(members.count),
    yesterday: lastDay === null ? null : describe(lastDay),
  }
}

type LastDay = NonNullable<Awaited<ReturnType<ReadLastDay>>>

/** Per unit: what members were really paid, over all plans, after their service fees. */
const describe = ({ day, revenue, paid, totalUnits }: LastDay): Yesterday => ({
  day,
  revenue: fromBaseUnits(revenue),
  outputPerUnit: fromBaseUnits(totalUnits === 0n ? 0n : mulDiv(paid, 1n, totalUnits)),
})
