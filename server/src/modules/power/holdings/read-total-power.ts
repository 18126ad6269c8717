import type { Database } from '../../../db/open.ts'

/** Active power of all members, and the name of its unit. */
export async function readTotalPower(db: Database): Promise<{ units: number; unit: string }> {
  const [power, plan] = await Promise.all([
    db
      .selectFrom('member_power')
      .select(({ fn }) => fn.sum<bigint | null>('active_units').as('units'))
      .executeTakeFirstOrThrow(),
    db.selectFrom('power_plan').select('unit').orderBy('id').limit(1).executeTakeFirst(),
  ])
  return { units: Number(power.units ?? 0n), unit: plan?.unit ?? 'T' }
}
