/** Fills a ledger by statements over sets, so that its balances, running balances, rolled-up totals and days hold: the audit passes. */
import { type Database, transaction } from '@candela/server/db/open'
import { must } from '@candela/server/kernel/assert'
import { memberAccountNumbers, platformAccount } from '@candela/server/ledger/chart'
import { addPartitions } from '@candela/server/ledger/upkeep/partitions'
import { countDays } from '@candela/server/ledger/statement/count-days'
import { addMembers } from '@candela/server/modules/income/testing'
import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'

/** Half of a chunk's entries are lines of shared income, half belong to transfers and deposits of two lines each. */
const CHUNK = 400_000
const INCOME_LINES = 10_000
/** Postings that were posted together. */
const BATCH = 100
/** When the first entry is told to have happened, and how many follow within a day. */
const FIRST_DAY = '2026-01-01T00:00:00Z'
const ENTRIES_A_DAY = 1_000_000
const DAY_S = 86_400

/** These have so many entries at any size that their pages are full. */
export const BUSY = 100

/** The time of the entry with this number, from 1. */
export const timeOf = (entry: number): Date => new Date(Date.parse(FIRST_DAY) + (entry / ENTRIES_A_DAY) * DAY_S * 1000)

export type World = { members: number; firstMember: bigint }

const available = memberAccountNumbers('memberAvailable', 'USDT')
const income = memberAccountNumbers('memberAvailable', 'HASH')

/** Members with empty accounts; every tenth gets money, and the pool has all that will be shared. */
export async function addWorld(db: Database, members: number): Promise<World> {
  const { first } = await addMembers(db, members)
  await sql`
    insert into ledger_account (id, balance, version)
    select (${first}::bigint + n) * ${available.factor}::bigint + place, 0, 0
    from generate_series(0, ${members}::integer - 1) n cross join unnest(array[${available.offset}, ${income.offset}]::bigint[]) as place
    order by 1`.execute(db)
  await sql`
    insert into ledger_account (id, balance, version) values (${platformAccount('revenuePool', 'HASH')}, 0, 0)`.execute(
    db,
  )
  await addLines(
    db,
    sql`
    select 1::bigint as batch, 1 as place, 'revenue' as kind, 1 as line,
      ${platformAccount('custody', 'HASH')}::bigint as account, -(10::numeric ^ 40) as amount
    union all select 1, 1, 'revenue', 2, ${platformAccount('revenuePool', 'HASH')}, 10::numeric ^ 40`,
    0,
  )
  const rich = Math.floor(members / 10)
  for (let from = 0; from < rich; from += INCOME_LINES) {
    const lines = Math.min(INCOME_LINES, rich - from)
    await addLines(
      db,
      sql`
      select 1::bigint as batch, 1 as place, 'deposit' as kind, 1 as line, ${platformAccount('custody', 'USDT')}::bigint as account,
        -${lines}::numeric * (10::numeric ^ 24) as amount
      union all
      select 1, 1, 'deposit', 2 + n, (${first}::bigint + ${from}::integer + n) * ${available.factor}::bigint + ${available.offset}::bigint,
        10::numeric ^ 24
      from generate_series(0, ${lines}::integer - 1) n`,
      0,
    )
  }
  return { members, firstMember: first }
}

export async function findWorld(db: Database): Promise<World | null> {
  const { rows } = await sql<{ members: bigint; first: bigint | null }>`
    select count(*) as members, min(id) as first from member`.execute(db)
  const { members, first } = must(rows[0], 'an aggregate answers')
  return first === null ? null : { members: Number(members), firstMember: first }
}

export async function countEntries(db: Database): Promise<number> {
  const { rows } = await sql<{ entries: bigint }>`
    select coalesce((select sum(version) from ledger_account), 0)::bigint +
      coalesce((select sum(entries) from ledger_delta), 0)::bigint as entries`.execute(db)
  return Number(must(rows[0], 'an aggregate answers').entries)
}

/** Goes on from what is there until there are so many entries. */
export async function fillTo(db: Database, world: World, entries: number): Promise<void> {
  for (let present = await countEntries(db); present < entries; present = await countEntries(db)) {
    await addChunk(db, world, present, Math.min(CHUNK, entries - present))
    await sql`select ledger_roll_up()`.execute(db)
    // From the counts of analyze follows how wide a part is made.
    if (present % ENTRIES_A_DAY < CHUNK) await sql`analyze ledger_entry`.execute(db)
    await addPartitions(db)
  }
  await sealDays(db)
}

async function addChunk(
  db: Database,
  { members, firstMember }: World,
  present: number,
  entries: number,
): Promise<void> {
  const shares = Math.floor(entries / 2)
  const pairs = Math.ceil((entries - shares) / 2)
  const rich = Math.floor(members / 10)
  await addLines(
    db,
    sql`
    with pair as materialized (
      select n, n % 10 = 0 as is_deposit,
        -- A tenth by the busy ones. Who gets is half of the time one of those who give.
        case when random() < 0.1 then floor(random() * ${BUSY})::bigint else floor(random() * ${rich})::bigint end as giver,
        case when random() < 0.5 then floor(random() * ${rich})::bigint else floor(random() * ${members})::bigint end as taker
      from generate_series(0, ${pairs}::integer - 1) n
    ),
    share as (
      select n, n / ${INCOME_LINES} as part, n % ${INCOME_LINES} as place,
        (${present}::bigint + n) % ${members}::bigint as member from generate_series(0, ${shares}::integer - 1) n
    ),
    leg as (
      select n, is_deposit, (${firstMember}::bigint + case when is_deposit or taker <> giver then taker else (taker + 1) % ${members} end)
        * ${available.factor}::bigint + ${available.offset}::bigint as credit,
        case when is_deposit then ${platformAccount('custody', 'USDT')}::bigint
          else (${firstMember}::bigint + giver) * ${available.factor}::bigint + ${available.offset}::bigint end as debit
      from pair
    )
    select 1 + n / ${BATCH} as batch, 1 + n % ${BATCH} as place, case when is_deposit then 'deposit' else 'transfer' end as kind,
      line, case line when 1 then debit else credit end as account, case line when 1 then -1 else 1 end::numeric * 1000000007 as amount
    from leg cross join (values (1), (2)) as side(line)
    union all
    select 1 + ${pairs}::integer / ${BATCH} + 1 + part, 1, 'income', 2 + place,
      (${firstMember}::bigint + member) * ${income.factor}::bigint + ${income.offset}::bigint, 123456789012
    from share
    union all
    select 1 + ${pairs}::integer / ${BATCH} + 1 + part, 1, 'income', 1, ${platformAccount('revenuePool', 'HASH')}, -123456789012 * count(*)
    from share group by part`,
    present,
  )
}

/** Writes postings with these lines (batch and place from 1, kind, line, account, amount), as the ledger's functions would. */
async function addLines(db: Database, lines: ReturnType<typeof sql>, present: number): Promise<void> {
  await transaction(db, async (tx) => {
    await sql`set local work_mem = '512MB'`.execute(tx)
    await sql`set local synchronous_commit = off`.execute(tx)
    await sql`create temporary table made on commit drop as ${lines}`.execute(tx)
    await sql`analyze made`.execute(tx)
    await sql`
      create temporary table run on commit drop as
      select (s.base + batch) * 16384 + place as posting, line, kind, account, amount,
        case when is_kept then a.balance + sum(amount) over seen end as balance,
        case when is_kept then a.version + row_number() over seen end as version
      from (select case when is_called then last_value else 0 end as base from ledger_batch_seq) s
      cross join (select *, (account / 100) % 1000 < 700 as is_kept from made) m
      left join ledger_account a on a.id = m.account
      window seen as (partition by account order by batch, place, line)`.execute(tx)
    await sql`analyze run`.execute(tx)
    await sql`select setval('ledger_batch_seq', (select max(posting) / 16384 from run))`.execute(tx)
    await sql`
      insert into ledger_posting (seq, id, kind, memo, occurred_at, booked_at)
      -- Ids as the service makes them: those of deposits at random places, the others in order of time.
      select posting, case kind when 'deposit' then gen_random_uuid()
          else overlay(gen_random_uuid()::text placing lpad(to_hex(${Math.floor(timeOf(present).getTime() / 1000)}::bigint), 8, '0') from 1)::uuid end,
        kind, case kind
          when 'transfer' then jsonb_build_object('transferNo', 'T' || posting, 'from', '0x' || repeat('a', 40), 'fromUid', '10001',
            'to', '0x' || repeat('b', 40), 'toUid', '10002', 'requestId', gen_random_uuid(),
            'deadline', '2026-03-01T00:00:00.000Z', 'signature', '0x' || repeat('ab', 65))
          when 'income' then jsonb_build_object('day', '2026-01-01')
          else jsonb_build_object('action', kind, 'reference', 'R' || posting, 'payer', '0x' || repeat('a', 40),
            'customer', '0x' || repeat('a', 40), 'txHash', '0x' || repeat('c', 64)) end,
        told.at, told.at
      from (
        select posting, kind, ${timeOf(present)}::timestamptz + row_number() over (order by posting) * interval '1 millisecond' as at
        from (select distinct posting, kind from run) p
      ) told order by posting`.execute(tx)
    await sql`
      insert into ledger_entry (posting, line, kind, account, amount, balance, version)
      select posting, line, ledger_kind_code(kind), account, amount, balance, version from run order by posting, line`.execute(
      tx,
    )
    await sql`
      update ledger_account a set balance = a.balance + moved.amount, version = a.version + moved.entries
      from (select account, sum(amount) as amount, count(*) as entries from run where balance is not null group by account) moved
      where a.id = moved.account`.execute(tx)
    await sql`
      insert into ledger_delta (account, amount, entries)
      select account, sum(amount), count(*) from run where balance is null group by account`.execute(tx)
  })
}

/** As the worker does: each round counts what the one before has seen begin. */
async function sealDays(db: Database): Promise<void> {
  for (;;) {
    await transaction(db, (tx) => countDays(tx))
    const { rows } = await sql<{ done: boolean }>`
      select m.counted >= (select coalesce(max(seq), 0) from ledger_posting) as done from ledger_day_mark m`.execute(db)
    if (rows[0]?.done === true) return
    await sleep(20)
  }
}
