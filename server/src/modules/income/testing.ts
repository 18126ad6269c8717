import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type Database, transaction } from '../../db/open.ts'
import { uuidFromName } from '../../kernel/ids.ts'
import { platformAccount } from '../../ledger/chart.ts'
import { post } from '../../ledger/post.ts'
import { addDays, startOfDay } from '@candela/protocol/calendar'
import { testMemo } from '../../ledger/testing/testing-memo.ts'

/** The common base of tests and benches of the close: members with power, deposits of revenue, and a chain that is far enough. */

export const DEPTH = 3

/** Plans with these service fees. Returns their ids. */
export async function addPlans(db: Database, fees_ppm: readonly number[]): Promise<bigint[]> {
  const text = JSON.stringify({ zh: '算力', tw: '算力', en: 'Power' })
  const { rows } = await sql<{ id: bigint }>`
    insert into power_plan (name, description, unit, unit_price, term_days, min_units, max_units, total_units, units_left,
      service_fee_ppm, created_at)
    select ${text}::jsonb, ${text}::jsonb, 'T', 1, 30, 1, 1000000000, 1000000000, 1000000000, fee, now()
    from unnest(${fees_ppm}::integer[]) as fee returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** So many members, in one statement. Returns the first and the last id. */
export async function addMembers(db: Database, count: number): Promise<{ first: bigint; last: bigint }> {
  const { rows } = await sql<{ first: bigint; last: bigint }>`
    with made as (
      insert into member (address, inviter_id, invitation_code, joined_at)
      select '0x' || lpad(to_hex(n), 40, '0'), null, 'M' || lpad(n::text, 9, '0'), now() from generate_series(1, ${count}::int) as n
      returning id
    )
    select min(id) as first, max(id) as last from made`.execute(db)
  return rows[0] as { first: bigint; last: bigint }
}

export type PowerRow = { memberId: bigint; planId: bigint; units: bigint; startsOn: string; endsOn: string }

/** Orders that were paid, with the power that they gave, whatever paid for them. */
export async function addPower(db: Database, rows: readonly PowerRow[]): Promise<void> {
  await sql`
    with listed as (
      select * from unnest(
        ${rows.map(({ memberId }) => memberId)}::bigint[], ${rows.map(({ planId }) => planId)}::bigint[],
        ${rows.map(({ units }) => units)}::bigint[], ${rows.map(({ startsOn }) => startsOn)}::date[],
        ${rows.map(({ endsOn }) => endsOn)}::date[]
      ) with ordinality as l(member_id, plan_id, units, starts_on, ends_on, n)
    ),
    paid as (
      insert into chain_event (tx_hash, log_index, tx_position, block_number, block_hash, block_at, action, reference, asset,
        amount, payer, customer, confirmations_needed, state, outcome, credited_at)
      select '0x' || lpad(to_hex(n + (select count(*) from power_order) * 1000), 64, '0'), 0, 0, 1, 'b', starts_on - 1, 'buyPower',
        'ORDER-' || n, 'USDT', 1, 'p', 'c', 1, 'credited', 'order', now() from listed order by n
      returning id
    ),
    numbered as (select id, row_number() over (order by id) as n from paid)
    insert into power_order (order_no, member_id, plan_id, units, cost_usdt, asset, payable, price, state, created_at,
      pay_before, watch_until, term_days, settled_at, starts_on, ends_on, chain_event_id)
    select 'ORDER-' || lpad(numbered.id::text, 9, '0'), member_id, plan_id, units, 1, 'USDT', 1, 1, 'active', now(), now(), now(),
      ends_on - starts_on + 1, now(), starts_on, ends_on, numbered.id
    from listed join numbered using (n)`.execute(db)
  await sql`
    insert into member_power (member_id, active_units)
    select member_id, sum(units) from power_order group by member_id
    on conflict (member_id) do update set active_units = excluded.active_units`.execute(db)
}

/** A day that was closed with nothing to share: the one after it is next, whatever power there is. */
export async function addClosedDay(db: Database, day: string): Promise<void> {
  const at = startOfDay(addDays(day, 1))
  const nothing = { revenue: 0n, carried_in: 0n, total_units: 0n, fee: 0n }
  await db
    .insertInto('income_day')
    .values({ day, ...nothing, opened_at: at, closed_at: at })
    .execute()
}

let deposits = 0

/** A credited deposit of revenue for a day, in the ledger too. Its block is of the day after, unless told otherwise. */
export async function addRevenue(db: Database, day: string, amount: bigint, at?: Date): Promise<bigint> {
  deposits += 1
  const name = `revenue:${deposits}:${day}:${amount}`
  const blockAt = at ?? startOfDay(addDays(day, 1))
  // By the name, because a database may be worked on by several processes, each of which counts from one.
  const hash = `0x${createHash('sha256').update(name).digest('hex')}`
  return transaction(db, async (tx) => {
    await post(tx, {
      id: uuidFromName(name),
      kind: 'revenue',
      legs: [{ debit: platformAccount('custody', 'HASH'), credit: platformAccount('revenuePool', 'HASH'), amount }],
      memo: testMemo(name),
      occurredAt: blockAt,
    })
    const { rows } = await sql<{ id: bigint }>`
      insert into chain_event (tx_hash, log_index, tx_position, block_number, block_hash, block_at, action, reference, asset,
        amount, payer, customer, confirmations_needed, state, outcome, credited_at, revenue_day)
      values (${hash}, 0, 0, 1, 'b', ${blockAt}, 'revenue', ${day}, 'HASH', ${amount}, ${`0x${'1'.repeat(40)}`}, ${`0x${'1'.repeat(40)}`}, 1,
        'credited', 'revenue', now(), ${day}) returning id`.execute(tx)
    return (rows[0] as { id: bigint }).id
  })
}

/** Lets the chain be followed so far that the block at this time is final. */
export async function finalAt(db: Database, at: Date): Promise<void> {
  await sql`delete from chain_block`.execute(db)
  await sql`
    insert into chain_block (number, hash, parent_hash, at)
    select n, 'h' || n, 'h' || (n - 1), ${at}::timestamptz from generate_series(100, ${100 + DEPTH}::int) as n`.execute(
    db,
  )
  const followed = 100 + DEPTH - 1
  await sql`
    insert into chain_cursor (chain_id, gateway, start_block, followed, head, head_seen_at)
    values (210000, '0x', 1, ${followed}, ${followed}, ${at})
    on conflict (only_row) do update set followed = ${followed}`.execute(db)
}
