import type { Tx } from '../../../db/open.ts'
import { sql } from 'kysely'

/** Adds to or takes from the units that plans have left. Several changes of one plan count together. */
export async function changeUnitsLeft(tx: Tx, changes: readonly { planId: bigint; delta: bigint }[]): Promise<void> {
  const sums = new Map<bigint, bigint>()
  for (const { planId, delta } of changes) sums.set(planId, (sums.get(planId) ?? 0n) + delta)
  const planIds = [...sums.keys()].filter((planId) => sums.get(planId) !== 0n).toSorted((a, b) => (a < b ? -1 : 1))
  if (planIds.length === 0) return
  // Locked in the order of their ids, as everything that locks several of them does.
  await lockPlans(tx, planIds)
  await sql`
    update power_plan p set units_left = p.units_left + change.delta
    from unnest(${planIds}::bigint[], ${planIds.map((planId) => sums.get(planId))}::bigint[]) as change(plan_id, delta)
    where p.id = change.plan_id`.execute(tx)
}

/** Plans as they are, locked until the transaction ends. */
export async function lockPlans(
  tx: Tx,
  planIds: readonly bigint[],
): Promise<{ id: bigint; unitsLeft: bigint; closed: boolean }[]> {
  const rows = await tx
    .selectFrom('power_plan')
    .select(['id', 'units_left', 'closed_at'])
    .where('id', 'in', [...planIds])
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map((row) => ({ id: row.id, unitsLeft: row.units_left, closed: row.closed_at !== null }))
}
