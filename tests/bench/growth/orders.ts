import type { Database } from '@candela/server/db/open'
import { addPlans } from '@candela/server/modules/income/testing'
import { sql } from 'kysely'
import { BUSY, type World } from './fill.ts'

const FIRST_DAY = '2025-12-31'
/** The orders of each busy member, so that its list has several pages. */
const CANCELLED = 200

/** The first members get power, by one order each that outlasts the measurement, and busy ones many orders that were cancelled; once. */
export async function addPower(db: Database, { firstMember }: World, owners: number): Promise<void> {
  const known = await db.selectFrom('power_order').select('id').limit(1).executeTakeFirst()
  if (known !== undefined) return
  const [plan] = await addPlans(db, [50_000])
  await sql`
    insert into chain_event (tx_hash, log_index, tx_position, block_number, block_hash, block_at, action, reference, asset,
      amount, payer, customer, confirmations_needed, state, outcome, credited_at)
    select '0x' || lpad(to_hex(n), 64, '0'), 0, 0, 1, 'b', ${FIRST_DAY}::date, 'buyPower', 'ORDER-' || n, 'USDT', 1, 'p', 'c', 1,
      'credited', 'order', now() from generate_series(1, ${owners}::integer) n`.execute(db)
  await sql`
    insert into power_order (order_no, member_id, plan_id, units, cost_usdt, asset, payable, price, state, created_at,
      pay_before, watch_until, term_days, settled_at, starts_on, ends_on, chain_event_id)
    select 'ORDER-' || lpad(n::text, 9, '0'), ${firstMember}::bigint + n - 1, ${plan}::bigint, 1 + (n::bigint * 7919) % 997, 1, 'USDT', 1, 1,
      'active', now(), now(), now(), 3600, now(), ${FIRST_DAY}::date, ${FIRST_DAY}::date + 3599, e.id
    from generate_series(1, ${owners}::integer) n join chain_event e on e.reference = 'ORDER-' || n`.execute(db)
  await sql`
    insert into power_order (order_no, member_id, plan_id, units, cost_usdt, asset, payable, price, state, created_at,
      pay_before, watch_until, term_days, settled_at)
    select 'CANCELLED-' || member || '-' || n, ${firstMember}::bigint + member, ${plan}::bigint, 1, 1, 'USDT', 1, 1, 'cancelled',
      now(), now(), now(), 3600, now()
    from generate_series(0, ${BUSY - 1}::integer) member cross join generate_series(1, ${CANCELLED}::integer) n`.execute(
    db,
  )
  await sql`
    insert into member_power (member_id, active_units)
    select member_id, sum(units) from power_order where state = 'active' group by member_id`.execute(db)
}
