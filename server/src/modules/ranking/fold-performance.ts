import { sql } from 'kysely'
import { advisoryLocks } from '../../db/advisory-locks.ts'
import { queryRows } from '../../db/query-rows.ts'
import { z } from 'zod'
import { climb, type Gain, readAncestors, type Rising } from './climb.ts'
import { type Database, transaction, type Tx } from '../../db/open.ts'

/** Any constant that no other advisory lock of the database uses. */

const lockRow = z.object({ ours: z.boolean() })

/** How many members above one purchase a fold updates at most. */
const CLIMB = 10

/**
 * Adds up to `batchSize` waiting purchases to the figures of their buyers and of everybody above them, in one
 * transaction that also takes them off the queue: each counts exactly once, also when the process is killed. How many
 * members it updates is limited too: the rest waits at the last member that was reached.
 * @returns how many were folded, those that go on from such a member included
 */
export function foldPerformance(db: Database, batchSize = 2_000): Promise<number> {
  return transaction(db, async (tx) => {
    const rows = await queryRows(
      tx,
      lockRow,
      sql`select pg_try_advisory_xact_lock(${advisoryLocks.performance}) as ours`,
    )
    // Another fold is running: two would only wait for each other's rows.
    return rows[0]?.ours === true ? foldBatch(tx, batchSize) : 0
  })
}

const idRow = z.object({ member_id: z.bigint() })
const dueRow = z.object({ member_id: z.bigint(), amount: z.bigint(), since: z.date() })
const risingRow = dueRow.extend({ largest: z.bigint() })

async function foldBatch(tx: Tx, batchSize: number): Promise<number> {
  const rising = await queryRows(tx, idRow, sql`select member_id from performance_rising limit ${sql.lit(batchSize)}`)
  // Most of the time nothing waits, and temporary tables leave dead rows in the catalogue.
  const waiting = await tx.selectFrom('performance_due').select('order_id').limit(1).executeTakeFirst()
  if (waiting === undefined && rising.length === 0) return 0
  await sql`create temporary table due (member_id bigint, amount numeric, at timestamptz, day date) on commit drop`.execute(
    tx,
  )
  const taken = await sql`
    with taken as (
      delete from performance_due
      where order_id in (select order_id from performance_due order by order_id limit ${sql.lit(batchSize)} for update)
      returning member_id, amount, at, (at at time zone 'UTC')::date as day
    )
    insert into due select * from taken`.execute(tx)
  await foldDays(tx)
  await foldTeams(
    tx,
    rising.map(({ member_id }) => member_id),
    CLIMB * batchSize,
  )
  return Number(taken.numAffectedRows ?? 0n) + rising.length
}

/** Own purchases and those of direct invitees, for each day that the batch has. */
async function foldDays(tx: Tx): Promise<void> {
  await sql`
    create temporary table day_delta on commit drop as
    select day, member_id, sum(own) as own, sum(direct) as direct from (
      select day, member_id, amount as own, 0::numeric as direct from due
      union all
      select day, inviter_id, 0, amount from due join member m on m.id = due.member_id where inviter_id is not null
    ) part group by day, member_id`.execute(tx)
  await sql`
    with before as (
      select day, member_id, d.bucket from performance_day d join day_delta using (day, member_id)
    ), after as (
      insert into performance_day as d (day, member_id, own, direct)
      select day, member_id, own, direct from day_delta
      on conflict (day, member_id) do update set own = d.own + excluded.own, direct = d.direct + excluded.direct
      returning day, member_id, bucket
    )
    insert into performance_count as c (board, bucket, members)
    select day::text, bucket, sum(change) from (
      select day, bucket, -1 as change from before
      union all
      select day, bucket, 1 from after
    ) moved group by day, bucket having sum(change) <> 0
    on conflict (board, bucket) do update set members = c.members + excluded.members`.execute(tx)
}

/** Adds up what each member gains: by itself, and by everybody below. */
async function foldTeams(tx: Tx, goOnFrom: readonly bigint[], maxOthers: number): Promise<void> {
  const bought = await queryRows(
    tx,
    dueRow,
    sql`select member_id, sum(amount) as amount, min(at) as since from due group by member_id`,
  )
  const first = new Set([...bought.map(({ member_id }) => member_id), ...goOnFrom])
  const ancestors = await readAncestors(tx, [...first], maxOthers)
  // A member that is visited gets all gains that wait for it: a branch must not count for its inviter before its gain
  // does.
  const rising = await queryRows(
    tx,
    risingRow,
    sql`
    delete from performance_rising where member_id = any (${ancestors.map(({ id }) => id)}::bigint[])
    returning member_id, amount, largest, since`,
  )
  const { team, left } = climb(bought, rising, ancestors)
  const waits = [...left.values()]
  await createDeltas(tx, { bought, team, rising })
  await sql`
    insert into performance_rising as r (member_id, amount, since, largest)
    select l.member_id, l.amount, l.since, max(grown.branch)
    from unnest(${waits.map(({ member_id }) => member_id)}::bigint[], ${waits.map(({ amount }) => amount)}::numeric[],
      ${waits.map(({ since }) => since)}::timestamptz[]) as l(member_id, amount, since)
    join grown on grown.inviter_id = l.member_id
    group by l.member_id, l.amount, l.since
    on conflict (member_id) do update set amount = r.amount + excluded.amount,
      largest = greatest(r.largest, excluded.largest), since = least(r.since, excluded.since)`.execute(tx)
  await applyDeltas(tx)
}

type Deltas = { bought: readonly Gain[]; team: ReadonlyMap<bigint, Gain>; rising: readonly Rising[] }

async function createDeltas(tx: Tx, { bought, team, rising }: Deltas): Promise<void> {
  const gained = [...team.values()]
  await sql`
    create temporary table team_delta (member_id bigint, own numeric, team numeric, largest numeric) on commit drop
  `.execute(tx)
  await sql`
    insert into team_delta
    select member_id, coalesce(own.amount, 0), coalesce(team.amount, 0), coalesce(rising.largest, 0)
    from unnest(${bought.map(({ member_id }) => member_id)}::bigint[], ${bought.map(({ amount }) => amount)}::numeric[])
      as own(member_id, amount)
    full join unnest(${gained.map(({ member_id }) => member_id)}::bigint[], ${gained.map(({ amount }) => amount)}::numeric[])
      as team(member_id, amount) using (member_id)
    left join unnest(${rising.map(({ member_id }) => member_id)}::bigint[],
      ${rising.map(({ largest }) => largest)}::numeric[]) as rising(member_id, largest) using (member_id)`.execute(tx)
  await sql`
    create temporary table grown on commit drop as
    with before as (
      select member_id, p.own + p.team as was from performance p join team_delta using (member_id)
    )
    select d.member_id, m.inviter_id, coalesce(was, 0) + d.own + d.team as branch
    from team_delta d join member m on m.id = d.member_id left join before using (member_id)`.execute(tx)
}

async function applyDeltas(tx: Tx): Promise<void> {
  await sql`
    insert into performance (member_id) select member_id from team_delta on conflict do nothing`.execute(tx)
  await sql`
    with before as (
      select member_id, p.bucket from performance p join team_delta using (member_id) where p.score > 0
    ), branch as (
      -- A branch only ever grows, so the largest is the larger of what it was and what has grown now.
      select inviter_id as member_id, max(branch) as largest from grown where inviter_id is not null group by inviter_id
    ), after as (
      update performance p set
        own = p.own + d.own, team = p.team + d.team, largest = greatest(p.largest, coalesce(b.largest, 0), d.largest)
      from team_delta d left join branch b using (member_id)
      where p.member_id = d.member_id
      returning p.bucket, p.score
    )
    insert into performance_count as c (board, bucket, members)
    select 'all', bucket, sum(change) from (
      select bucket, -1 as change from before
      union all
      select bucket, 1 from after where score > 0
    ) moved group by bucket having sum(change) <> 0
    on conflict (board, bucket) do update set members = c.members + excluded.members`.execute(tx)
}
