import type { Tx } from '../../../db/open.ts'
import { sql } from 'kysely'

/**
 * Adds bought orders to their members' power and purchases, and logs each with the power after it. The orders are
 * named in the order in which they are to be logged.
 */
export async function addPower(tx: Tx, orderIds: readonly bigint[], now: Date): Promise<void> {
  if (orderIds.length === 0) return
  await sql`
    with bought as (
      select o.id, o.member_id, o.units, o.cost_usdt, listed.nth
      from unnest(${orderIds}::bigint[]) with ordinality as listed(id, nth) join power_order o using (id)
    ),
    changed as (
      insert into member_power as p (member_id, active_units, purchased_usdt)
      select member_id, sum(units), sum(cost_usdt) from bought group by member_id order by member_id
      on conflict (member_id) do update set
        active_units = p.active_units + excluded.active_units,
        purchased_usdt = p.purchased_usdt + excluded.purchased_usdt
      returning member_id, active_units
    )
    insert into power_log (member_id, order_id, kind, units, total, at)
    select b.member_id, b.id, 'activated', b.units, p.active_units - coalesce(sum(b.units) over later, 0), ${now}
    from bought b join changed p using (member_id)
    window later as (partition by b.member_id order by b.nth rows between 1 following and unbounded following)
    order by b.nth`.execute(tx)
}

/** Takes ended orders away from their members' power, and logs each with the power after it. */
export async function removePower(tx: Tx, orderIds: readonly bigint[], now: Date): Promise<void> {
  if (orderIds.length === 0) return
  // Locked in the order of the members, as everything that locks several of them does.
  await sql`
    select 1 from member_power
    where member_id in (select member_id from power_order where id = any(${orderIds}::bigint[]))
    order by member_id for update`.execute(tx)
  await sql`
    with ended as (
      select o.id, o.member_id, o.units, listed.nth
      from unnest(${orderIds}::bigint[]) with ordinality as listed(id, nth) join power_order o using (id)
    ),
    changed as (
      update member_power p set active_units = p.active_units - e.units
      from (select member_id, sum(units) as units from ended group by member_id) e
      where p.member_id = e.member_id
      returning p.member_id, p.active_units
    )
    insert into power_log (member_id, order_id, kind, units, total, at)
    select e.member_id, e.id, 'expired', -e.units, p.active_units + coalesce(sum(e.units) over later, 0), ${now}
    from ended e join changed p using (member_id)
    window later as (partition by e.member_id order by e.nth rows between 1 following and unbounded following)
    order by e.nth`.execute(tx)
}
