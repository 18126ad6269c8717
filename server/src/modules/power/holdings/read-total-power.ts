import { sql } from 'kysely'
import type { Database } from '../../../db/open.ts'

/** Active power of all members, the sum of the changes that triggers note, and the name of its unit. */
export async function readTotalPower(db: Database): Promise<{ units: number; unit: string }> {
  const [power, plan] = await Promise.all([
    db
      .selectFrom('power_total')
      .select(({ fn }) => fn.sum<bigint | null>('change').as('units'))
      .executeTakeFirstOrThrow(),
    db.selectFrom('power_plan').select('unit').orderBy('id').limit(1).executeTakeFirst(),
  ])
  return { units: Number(power.units ?? 0n), unit: plan?.unit ?? 'T' }
}

/** Puts the changes together into one. Several at once are fine: each row is taken by one of them. */
export async function foldTotalPower(db: Database): Promise<void> {
  await sql`
    with taken as (delete from power_total returning change)
    insert into power_total select sum(change) from taken having count(*) > 0`.execute(db)
}
