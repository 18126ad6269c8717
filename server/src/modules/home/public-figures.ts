import type { Database } from '../../db/open.ts'

export type PublicFigures = { totalUnits: number; unit: string; accounts: number }

/** Anyone may ask, and the sums run over all members, so one answer serves everybody for this long. */
const KEEP_MS = 3_000

/** Reads the figures at most once in three seconds, however many ask at the same time. */
export function createPublicFigures(db: Database): (now: Date) => Promise<PublicFigures> {
  let kept: { at: Date; figures: Promise<PublicFigures> } | undefined
  return async (now) => {
    if (kept === undefined || Math.abs(now.getTime() - kept.at.getTime()) >= KEEP_MS) {
      kept = { at: now, figures: readFigures(db) }
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

async function readFigures(db: Database): Promise<PublicFigures> {
  const [power, members, plan] = await Promise.all([
    db
      .selectFrom('member_power')
      .select(({ fn }) => fn.sum<bigint | null>('active_units').as('units'))
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('member')
      .select(({ fn }) => fn.countAll<bigint>().as('count'))
      .executeTakeFirstOrThrow(),
    db.selectFrom('power_plan').select('unit').orderBy('id').limit(1).executeTakeFirst(),
  ])
  return { totalUnits: Number(power.units ?? 0n), unit: plan?.unit ?? 'T', accounts: Number(members.count) }
}
