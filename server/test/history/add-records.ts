import { sql } from 'kysely'
import type { Database } from '@candela/server/db/open'

export type Owner = { memberId: bigint; address: string }

/** Logs of the gateway at a range of places of their own: `first` is the place of the first. */
async function addPayments(db: Database, action: string, first: number, count: number, payer: string, now: Date) {
  await sql`
    insert into chain_event (tx_hash, log_index, tx_position, block_number, block_hash, block_at, action, reference,
      asset, amount, payer, customer, confirmations_needed, state, outcome, credited_at)
    select '0x' || lpad(to_hex(${first}::bigint + n), 64, '0'), 0, 0, 1, '0x', ${now}::timestamptz - n * interval '1 minute',
      ${action}, 'OLD' || n, 'USDT', 1, ${payer}, ${payer}, 12, 'credited', 'balance', ${now}
    from generate_series(1, ${count}::integer) n`.execute(db)
}

const eventAt = (first: number) => sql`
  (select id from chain_event where tx_hash = '0x' || lpad(to_hex(${first}::bigint + n), 64, '0') and orphaned_at is null)`

/** Announcements, of which every tenth was fulfilled, and as many payments that nobody announced. */
export async function addDeposits(db: Database, { memberId, address }: Owner, rows: number, now: Date) {
  const first = Number(memberId) * 2 ** 40
  await addPayments(db, 'deposit', first, Math.ceil(rows / 5), address, now)
  await sql`
    insert into deposit (deposit_no, member_id, asset, amount, created_at, lapses_at)
    select 'D' || ${memberId}::bigint || 'X' || lpad(n::text, 8, '0'), ${memberId}, 'USDT', 1,
      ${now}::timestamptz - n * interval '1 minute', ${now}::timestamptz - n * interval '1 minute' + interval '1 day'
    from generate_series(1, ${rows}::integer) n`.execute(db)
  await sql`
    insert into deposit_receipt (chain_event_id, member_id, deposit_id, at)
    select ${eventAt(first)}, ${memberId}, case when n % 2 = 0 then
      (select id from deposit where deposit_no = 'D' || ${memberId}::bigint || 'X' || lpad((n * 5)::text, 8, '0')) end,
      ${now}::timestamptz - n * interval '1 minute'
    from generate_series(1, ${Math.ceil(rows / 5)}::integer) n`.execute(db)
}

/**
 * Orders, one an hour: the older half expired after one day each, five of them on each day; then cancelled ones. Among the oldest are
 * some of every other state, and two of the last were just paid.
 */
export async function addOrders(db: Database, owner: Owner & { planId: bigint }, rows: number, now: Date) {
  const { memberId, address, planId } = owner
  const first = Number(memberId) * 2 ** 40 + 2 ** 32
  await addPayments(db, 'buyPower', first, Math.floor(rows / 2), address, now)
  await sql`
    insert into power_order (order_no, member_id, plan_id, units, cost_usdt, asset, payable, price, state, created_at,
      pay_before, watch_until, term_days, settled_at, starts_on, ends_on, chain_event_id)
    select 'P' || ${memberId}::bigint || 'X' || lpad(n::text, 8, '0'), ${memberId}, ${planId}, 1, 1, 'USDT', n, 1,
      state::power_order_state, at, at + interval '15 minutes', at + interval '1 day', 1,
      case when state <> 'pending' then at end,
      case when state in ('active', 'expired') then day end, case when state in ('active', 'expired') then day end,
      case when state not in ('pending', 'cancelled') then ${eventAt(first)} end
    from (
      select n, ${now}::timestamptz - (${rows} - n) * interval '1 hour' as at, ${now}::date - (${rows} / 2 - n) / 5 as day,
        case when n <= 9 then (array['active', 'late', 'mismatch'])[n % 3 + 1]
          when n <= ${rows} / 2 then 'expired' when n <= ${rows} - 5 then 'cancelled' else 'pending' end as state
      from generate_series(1, ${rows}::integer) n
    ) made order by n`.execute(db)
  await sql`
    insert into chain_event (tx_hash, log_index, tx_position, block_number, block_hash, block_at, action, reference,
      asset, amount, payer, customer, confirmations_needed)
    select '0x' || lpad(to_hex(${first}::bigint + ${rows} + n), 64, '0'), 0, 0, 1, '0x', ${now}, 'buyPower',
      'P' || ${memberId}::bigint || 'X' || lpad((${rows} - n)::text, 8, '0'), 'USDT', 1, ${address}, ${address}, 12
    from (values (1), (6)) paid(n)`.execute(db)
  await sql`
    insert into power_log (member_id, order_id, kind, units, total, at)
    select member_id, id, kind, case kind when 'activated' then 1 else -1 end, 1, settled_at
    from power_order cross join (values ('activated'), ('expired')) as change(kind)
    where member_id = ${memberId} and starts_on is not null order by id`.execute(db)
}

/** Withdrawals that are done, with the steps of each. */
export async function addWithdrawals(db: Database, { memberId, address }: Owner, rows: number, now: Date) {
  await sql`
    insert into withdrawal (withdrawal_no, payout_id, member_id, asset, amount, fee, to_address, worth_usdt, state,
      created_at, changed_at)
    select 'W' || ${memberId}::bigint || 'X' || lpad(n::text, 8, '0'),
      '0x' || lpad(to_hex(${Number(memberId) * 2 ** 40}::bigint + n), 64, '0'), ${memberId}, 'USDT', 2, 1, ${address}, 1,
      'rejected', ${now}::timestamptz - (${rows} - n) * interval '1 minute', ${now}
    from generate_series(1, ${rows}::integer) n`.execute(db)
  await sql`
    insert into withdrawal_step (withdrawal_id, state, at)
    select id, step::withdrawal_state, created_at from withdrawal cross join (values ('review'), ('rejected')) as s(step)
    where member_id = ${memberId}`.execute(db)
}

/** Exchanges, each with its quote. */
export async function addExchanges(db: Database, { memberId }: Owner, rows: number, now: Date) {
  const terms = sql`'USDT', 'JU', 1000, 1, 1, '{}'::jsonb, 0, 0, 0, 0, 1000, 0`
  const names = sql`from_asset, to_asset, amount_in, from_price, to_price, evidence, base_fee_ppm, discount, level, fee_ppm,
    amount_out, fee`
  await sql`
    with quote as (
      insert into exchange_quote (quote_no, member_id, ${names}, created_at, expires_at)
      select 'Q' || ${memberId}::bigint || 'X' || lpad(n::text, 8, '0'), ${memberId}, ${terms}, ${now},
        ${now}::timestamptz + interval '1 second'
      from generate_series(1, ${rows}::integer) n returning id, quote_no
    )
    insert into exchange (exchange_no, quote_id, member_id, ${names}, quoted_out, min_received, created_at)
    select 'E' || quote_no, id, ${memberId}, ${terms}, 1000, 1, ${now} from quote`.execute(db)
}

/** Notices, half of them read. */
export async function addNotices(db: Database, { memberId }: Owner, rows: number, now: Date) {
  await sql`
    insert into notice (member_id, kind, params, source, at, read_at)
    select ${memberId}, 'newDevice', '{"userAgent": "test"}', 'history:' || n,
      ${now}::timestamptz - (${rows} - n) * interval '1 minute', case when n % 2 = 0 then ${now}::timestamptz end
    from generate_series(1, ${rows}::integer) n`.execute(db)
}

/** Devices that signed in and out again, and one that is signed in. */
export async function addSessions(db: Database, { memberId }: Owner, rows: number, now: Date) {
  await sql`
    insert into session (token_hash, id, member_id, created_at, seen_at, expires_at, ended_at)
    select sha256((${memberId}::bigint || 's' || n)::bytea), gen_random_uuid(), ${memberId}, ${now}, ${now},
      ${now}::timestamptz + interval '1 day', case when n > 1 then ${now}::timestamptz end
    from generate_series(1, ${rows}::integer) n`.execute(db)
}

/** People whom the member invited, and a purchase of one in a thousand. */
export async function addInvitees(db: Database, { memberId }: Owner, rows: number, now: Date) {
  await sql`
    insert into member (address, inviter_id, invitation_code, joined_at)
    select '0x' || lpad(to_hex(${Number(memberId) * 2 ** 40}::bigint + n), 40, '0'), ${memberId},
      'H' || ${memberId}::bigint || 'X' || lpad(n::text, 7, '0'), ${now}
    from generate_series(1, ${rows}::integer) n`.execute(db)
  await sql`
    insert into member_power (member_id, active_units, purchased_usdt)
    select id, 1, 1 from member where inviter_id = ${memberId}`.execute(db)
  await sql`
    insert into performance_due (order_id, member_id, amount, at)
    select ${Number(memberId) * 2 ** 40}::bigint + row_number() over (), id, 1 + id, ${now} from member
    where inviter_id = ${memberId} and id % 1000 = 0`.execute(db)
}
