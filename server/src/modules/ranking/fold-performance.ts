import { sql } from 'kysely'
import { queryRows } from '../../db/query-rows.ts'
import { z } from 'zod'
import { type Database, transaction, type Tx } from '../../db/open.ts'

/** Any constant will do, as long as nothing else in the database locks the same one. */
const FOLD_LOCK = 726_001_735n

const lockRow = z.object({ ours: z.boolean() })

/**
 * Folds up to `batchSize` waiting purchases into the figures of their buyers and of everybody above them, in one transaction
 * that also takes them off the queue: each counts exactly once, also when it is killed halfway.
 * @returns how many were folded
 */
export function foldPerformance(db: Database, batchSize = 2_000): Promise<number> {
  return transaction(db, async (tx) => {
    const rows = await queryRows(tx, lockRow, sql`select pg_try_advisory_xact_lock(${FOLD_LOCK}) as ours`)
    // Another folder is at work: two would only wait for each other's rows.
    return rows[0]?.ours === true ? foldBatch(tx, batchSize) : 0
  })
}

async function foldBatch(tx: Tx, batchSize: number): Promise<number> {
  // Most of the time nothing waits, and tables that come and go leave traces in the catalogue.
  const waiting = await tx.selectFrom('performance_due').select('order_id').limit(1).executeTakeFirst()
  if (waiting === undefined) return 0
  await sql`create temporary table due (member_id bigint, amount numeric, day date) on commit drop`.execute(tx)
  const taken = await sql`
    with taken as (
      delete from performance_due
      where order_id in (select order_id from performance_due order by order_id limit ${sql.lit(batchSize)} for update)
      returning member_id, amount, (at at time zone 'UTC')::date as day
    )
    insert into due select * from taken`.execute(tx)
  await foldDays(tx)
  await foldTeams(tx)
  return Number(taken.numAffectedRows ?? 0n)
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

/** What each member gains: by itself, and by everybody below. Invitees are younger than who invited them: no circles. */
async function foldTeams(tx: Tx): Promise<void> {
  await sql`
    create temporary table team_delta on commit drop as
    with recursive own as (
      select member_id, sum(amount) as amount from due group by member_id
    ), up as (
      select m.inviter_id as ancestor, own.amount from own join member m on m.id = own.member_id
      where m.inviter_id is not null
      union all
      select m.inviter_id, up.amount from up join member m on m.id = up.ancestor where m.inviter_id is not null
    ), team as (
      select ancestor as member_id, sum(amount) as amount from up group by ancestor
    )
    select member_id, coalesce(own.amount, 0) as own, coalesce(team.amount, 0) as team
    from own full join team using (member_id)`.execute(tx)
  await sql`
    create temporary table grown on commit drop as
    with before as (
      select member_id, p.own + p.team as was from performance p join team_delta using (member_id)
    )
    select d.member_id, m.inviter_id, coalesce(was, 0) + d.own + d.team as branch
    from team_delta d join member m on m.id = d.member_id left join before using (member_id)`.execute(tx)
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
        own = p.own + d.own, team = p.team + d.team, largest = greatest(p.largest, coalesce(b.largest, 0))
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
