import { utcDay } from '@candela/protocol/calendar'
import type { Data } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { type RawBuilder, sql } from 'kysely'
import { queryRows } from '../../db/query-rows.ts'
import { z } from 'zod'
import type { Database } from '../../db/open.ts'
import { maskAddress } from '../../kernel/mask-address.ts'

const TOP = 100

const waitingRow = z.object({ since: z.date().nullable() })

/** Up to when all purchases are in a ranking: what was confirmed later may still wait to be added up. */
async function countedUntil(db: Database, waiting: RawBuilder<unknown>, now: Date): Promise<string> {
  const [row] = await queryRows(db, waitingRow, sql`select min(since) as since from (${waiting}) w`)
  return (row?.since ?? now).toISOString()
}

const due = sql`select min(at) as since from performance_due`
const dueOrRising = sql`${due} union all select min(since) from performance_rising`

const todayRow = z.object({ own: z.bigint(), direct: z.bigint(), score: z.bigint(), rank: z.bigint().nullable() })

/** Own purchases and those of direct invitees on the current UTC day, and the first hundred. */
export async function readTodayRank(
  db: Database,
  memberId: bigint,
  now: Date,
): Promise<Data<'GET user/todayPerformanceRank'>> {
  const day = utcDay(now)
  const [until, own, top] = await Promise.all([
    countedUntil(db, due, now),
    queryRows(
      db,
      todayRow,
      sql`
      select d.own, d.direct, d.score, 1
        + coalesce((select sum(members) from performance_count where board = ${day} and bucket > d.bucket), 0)
        + (select count(*) from performance_day o where o.day = d.day and o.bucket = d.bucket and o.score > d.score)
        as rank
      from performance_day d where d.day = ${day}::date and d.member_id = ${memberId}`,
    ),
    queryRows(
      db,
      topRow,
      sql`
      select m.address, d.score, rank() over (order by d.score desc) as rank
      from (
        select member_id, score from performance_day where day = ${day}::date
        order by score desc, member_id limit ${sql.lit(TOP)}
      ) d join member m on m.id = d.member_id order by d.score desc, d.member_id`,
    ),
  ])
  const mine = own[0]
  return {
    day,
    countedUntil: until,
    rank: mine === undefined ? null : Number(mine.rank),
    amount: fromBaseUnits(mine?.score ?? 0n),
    own: fromBaseUnits(mine?.own ?? 0n),
    direct: fromBaseUnits(mine?.direct ?? 0n),
    items: top.map(toItem),
  }
}

const teamRow = z.object({ team: z.bigint(), largest: z.bigint(), score: z.bigint(), rank: z.bigint() })

/** The whole team's purchases less those of its largest direct branch, and the first hundred. */
export async function readTeamRank(
  db: Database,
  memberId: bigint,
  now: Date,
): Promise<Data<'GET user/minPerformanceRank'>> {
  const [until, own, top] = await Promise.all([
    countedUntil(db, dueOrRising, now),
    queryRows(
      db,
      teamRow,
      sql`
      select p.team, p.largest, p.score, 1
        + coalesce((select sum(members) from performance_count where board = 'all' and bucket > p.bucket), 0)
        + (select count(*) from performance o where o.bucket = p.bucket and o.score > p.score and o.score > 0)
        as rank
      from performance p where p.member_id = ${memberId}`,
    ),
    queryRows(
      db,
      topRow,
      sql`
      select m.address, p.score, rank() over (order by p.score desc) as rank
      from (
        select member_id, score from performance where score > 0
        order by score desc, member_id limit ${sql.lit(TOP)}
      ) p join member m on m.id = p.member_id order by p.score desc, p.member_id`,
    ),
  ])
  const mine = own[0]
  return {
    countedUntil: until,
    rank: mine === undefined || mine.score === 0n ? null : Number(mine.rank),
    amount: fromBaseUnits(mine?.score ?? 0n),
    team: fromBaseUnits(mine?.team ?? 0n),
    largestBranch: fromBaseUnits(mine?.largest ?? 0n),
    items: top.map(toItem),
  }
}

const topRow = z.object({ address: z.string(), score: z.bigint(), rank: z.bigint() })
type TopRow = z.output<typeof topRow>

const toItem = ({ address, score, rank }: TopRow) => ({
  rank: Number(rank),
  maskedAddress: maskAddress(address),
  amount: fromBaseUnits(score),
})
