/** Members who each have something in every list, and borrowers among them, written by statements over sets. */
import type { Database } from '@candela/server/db/open'
import { foldLeverTotal } from '@candela/server/modules/lending/project/ceiling'
import { foldPerformance } from '@candela/server/modules/ranking/fold-performance'
import { addDays } from '@candela/protocol/calendar'
import { sql } from 'kysely'
import { addWorld, fillTo, type World } from '../growth/fill.ts'
import { addPower } from '../growth/orders.ts'
import { addLoans } from '../support/loans.ts'

/** Beside the first deposits of a tenth of the members. */
const ENTRIES_A_MEMBER = 1
/** Everybody has power and a session; one in so many has a row in every list. */
const ACTIVE = 10
const NOTICES_A_MEMBER = 2
/** Everybody has power; one in so many has a purchase in the rankings, because adding these up takes long. */
const RANKED = 10

export type Crowd = { members: number; borrowers: number }

/** Half of the loans are leveraged. Everybody was invited by somebody who came before. */
export async function addCrowd(db: Database, { members, borrowers }: Crowd, now: Date): Promise<void> {
  const world = await addWorld(db, members)
  await sql`
    update member set inviter_id = id - 1 - floor(random() * (id - ${world.firstMember}::bigint))::bigint
    where id > ${world.firstMember}::bigint`.execute(db)
  await sql`
    insert into member_referrals (inviter_id, referrals)
    select inviter_id, count(*) from member where inviter_id is not null group by inviter_id`.execute(db)
  await addPower(db, world, members)
  await addPurchases(db, now)
  await addActivity(db, { borrowers }, world, now)
}

/** Adds what members do beside having power. */
export async function addActivity(
  db: Database,
  { borrowers }: Pick<Crowd, 'borrowers'>,
  world: World,
  now: Date,
): Promise<void> {
  const { members, firstMember } = world
  await addRecords(db, world, now)
  const openedOn = addDays(now.toISOString().slice(0, 10), -1)
  await addLoans(db, { loans: borrowers, levers: borrowers / 2, firstMember, members, openedOn })
  await foldLeverTotal(db)
  await fillTo(db, world, ENTRIES_A_MEMBER * members)
}

/** A tenth of it was bought today. */
async function addPurchases(db: Database, now: Date): Promise<void> {
  await sql`
    insert into performance_due (order_id, member_id, amount, at)
    select id, member_id, (1 + floor(random() * 500)) * 20 * 10::numeric ^ 18,
      ${now}::timestamptz - case when id % 100 = 0 then 0 else id % 300 end * interval '1 day'
    from power_order where state = 'active' and id % ${RANKED} = 0`.execute(db)
  while ((await foldPerformance(db, 250_000)) > 0);
}

async function addRecords(db: Database, { members, firstMember }: World, now: Date): Promise<void> {
  const everybody = sql`(select ${firstMember}::bigint + n - 1 as id, n, ${now}::timestamptz - n % 10000 * interval '1 minute' as at
    from generate_series(1, ${members}::integer) n) m`
  const each = sql`(select * from ${everybody} where n % ${ACTIVE} = 0) active`
  await sql`
    insert into session (token_hash, id, member_id, created_at, seen_at, expires_at)
    select sha256(('crowd' || n)::bytea), gen_random_uuid(), id, ${now}, ${now}, ${now}::timestamptz + interval '1 day'
    from ${everybody}`.execute(db)
  await sql`
    insert into chain_event (tx_hash, log_index, tx_position, block_number, block_hash, block_at, action, reference, asset,
      amount, payer, customer, confirmations_needed, state, outcome, credited_at)
    select '0x' || encode(sha256(('crowd' || n)::bytea), 'hex'), 0, 0, 1 + n / 100, 'b', at, 'deposit', 'CROWD' || lpad(n::text, 8, '0'), 'USDT', 1, address, address, 1,
      'credited', 'balance', at
    from ${each} join member using (id)`.execute(db)
  await sql`
    insert into deposit (deposit_no, member_id, asset, amount, created_at, lapses_at)
    select 'CROWD' || lpad(n::text, 8, '0'), id, 'USDT', 1, at, at + interval '1 day' from ${each}`.execute(db)
  await sql`
    insert into deposit_receipt (chain_event_id, member_id, deposit_id, at)
    select e.id, d.member_id, d.id, e.block_at from deposit d join chain_event e on e.action = 'deposit' and e.reference = d.deposit_no
    where d.deposit_no like 'CROWD%'`.execute(db)
  await sql`
    insert into withdrawal (withdrawal_no, payout_id, member_id, asset, amount, fee, to_address, worth_usdt, state, created_at, changed_at)
    select 'CROWD' || lpad(n::text, 8, '0'), '0x' || encode(sha256(('paid' || n)::bytea), 'hex'), id, 'USDT', 2, 1, address, 1, 'rejected', at, at
    from ${each} join member using (id)`.execute(db)
  await sql`
    insert into withdrawal_step (withdrawal_id, state, at)
    select id, step::withdrawal_state, created_at from withdrawal cross join (values ('review'), ('rejected')) as s(step)
    where withdrawal_no like 'CROWD%'`.execute(db)
  const terms = sql`'USDT', 'JU', 1000, 1, 1, '{}'::jsonb, 0, 0, 0, 0, 1000, 0`
  const names = sql`from_asset, to_asset, amount_in, from_price, to_price, evidence, base_fee_ppm, discount, level, fee_ppm,
    amount_out, fee`
  await sql`
    with quote as (
      insert into exchange_quote (quote_no, member_id, ${names}, created_at, expires_at)
      select 'CROWD' || lpad(n::text, 8, '0'), id, ${terms}, at, at + interval '1 second' from ${each} returning id, quote_no, member_id, created_at
    )
    insert into exchange (exchange_no, quote_id, member_id, ${names}, quoted_out, min_received, created_at)
    select 'E' || quote_no, id, member_id, ${terms}, 1000, 1, created_at from quote`.execute(db)
  await sql`
    insert into notice (member_id, kind, params, source, at, read_at)
    select id, 'newDevice', '{"userAgent": "test"}', 'crowd:' || nth, at, case when nth % 2 = 0 then at end
    from ${each} cross join generate_series(1, ${NOTICES_A_MEMBER}::integer) nth`.execute(db)
  await sql`
    insert into request_log (member_id, request_key, input_key, result, created_at)
    select id, gen_random_uuid(), gen_random_uuid(), '{}', at from ${each}`.execute(db)
  await sql`
    insert into fund_member (member_id, paid_in, paid_out) select id, 10, 5 from ${each}`.execute(db)
}
