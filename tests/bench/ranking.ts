/**
 * How quickly a member is told its place among many while purchases arrive. Prints p50 and p99 of own rank with the top
 * hundred, of both lists, and the same with a plain count by an index, which is how one would do it without groups: both
 * answer for the same members, one after the other in changing order, in one run on one Postgres with fsync on. Then holds
 * a sample of ranks against a full `rank()` over everybody.
 *
 *   npx node tests/bench/ranking.ts [--accounts 1000000] [--seconds 20] [--purchases 200]
 *
 * `--purchases` arrive a second, each in a transaction of its own, and are folded as the service folds them.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedPostgres } from '@candela/testing/postgres/embedded'
import { migrate } from '@candela/server/db/migrate'
import { type Database, openDatabase, transaction } from '@candela/server/db/open'
import { silentLog } from '@candela/server/kernel/log'
import { countPurchases } from '@candela/server/modules/ranking/count-purchases'
import { foldPerformance } from '@candela/server/modules/ranking/fold-performance'
import { readTeamRank, readTodayRank } from '@candela/server/modules/ranking/read-rank'
import { sql } from 'kysely'
import { percentile, print } from './support/figures.ts'
import { readFlags } from '../../scripts/usage.ts'

const { values: flags } = readFlags(import.meta.filename, {
  options: {
    accounts: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '20' },
    purchases: { type: 'string', default: '200' },
  },
})
const accounts = Number(flags.accounts)
const seconds = Number(flags.seconds)
const perSecond = Number(flags.purchases)
const now = new Date()
const day = now.toISOString().slice(0, 10)
const anybody = (): bigint => BigInt(1 + Math.floor(Math.random() * accounts))
const amount = (): bigint => BigInt(1 + Math.floor(Math.random() * 500)) * 20n * 10n ** 18n

const folder = await mkdtemp(join(tmpdir(), 'candela-bench-'))
const postgres = await startEmbeddedPostgres({ folder })
try {
  const db = openDatabase({ url: postgres.url(), log: silentLog(), statementTimeout_ms: 600_000 })
  await migrate(db)
  await run(db)
  await db.destroy()
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}

/** Members in a random tree, each with one purchase of today. */
async function fill(db: Database): Promise<void> {
  await sql`
    insert into member (address, inviter_id, invitation_code, joined_at)
    select '0x' || lpad(to_hex(n), 40, '0'), case when n > 1 and n % 50 <> 0 then 1 + floor(random() * (n - 1))::bigint end,
      'R' || lpad(n::text, 9, '0'), ${now}::timestamptz
    from generate_series(1, ${accounts}::bigint) n`.execute(db)
  await sql`
    insert into performance_due (order_id, member_id, amount, at)
    select n, n, (1 + floor(random() * 500)) * 20 * 10::numeric ^ 18, ${now}::timestamptz
    from generate_series(1, ${accounts}::bigint) n`.execute(db)
  while ((await foldPerformance(db, 250_000)) > 0);
  // The count reads the index alone only of pages that were vacuumed.
  await sql`vacuum analyze`.execute(db)
}

async function run(db: Database): Promise<void> {
  const began = performance.now()
  await fill(db)
  print(`${accounts} accounts with a purchase each, folded in ${((performance.now() - began) / 1000).toFixed(0)} s`)

  const stopping = new AbortController()
  let order = BigInt(accounts)
  const arrive = async () => {
    while (!stopping.signal.aborted) {
      order += 1n
      const purchase = { orderId: order, memberId: anybody(), amount: amount() }
      await transaction(db, (tx) => countPurchases(tx, [purchase], now))
      await sleep(1000 / perSecond)
    }
  }
  const fold = async () => {
    while (!stopping.signal.aborted) if ((await foldPerformance(db)) === 0) await sleep(1000)
  }
  const busy = Promise.all([arrive(), fold()])
  const today = await timesOf(
    (id) => readTodayRank(db, id, now),
    (id) => countToday(db, id),
  )
  const team = await timesOf(
    (id) => readTeamRank(db, id, now),
    (id) => countTeam(db, id),
  )
  stopping.abort()
  await busy
  for (const [board, { ours, counted }] of Object.entries({ today, team })) {
    const ratios = [0.5, 0.99].map((part) => (percentile(counted, part) / percentile(ours, part)).toFixed(1))
    print(
      `${board}: ${middleAndTail(ours)}; indexed count ${middleAndTail(counted)}; ${ours.length} reads each; the count takes ` +
        `${ratios[0]} times as long, at p99 ${ratios[1]}`,
    )
  }
  while ((await foldPerformance(db)) > 0);
  let different = 0
  for (let nth = 0; nth < 20; nth++) {
    const id = anybody()
    const ranks = [(await readTodayRank(db, id, now)).rank, (await readTeamRank(db, id, now)).rank]
    const counted = [await countToday(db, id), await countTeam(db, id)]
    const full = [await fullToday(db, id), await fullTeam(db, id)]
    if (String(ranks) !== String(full) || String(counted) !== String(full)) different += 1
  }
  print(`${different} of 20 ranks differ from the full count`)
  if (different > 0) process.exitCode = 1
}

type Read = (id: bigint) => Promise<unknown>

/** Milliseconds of both reads, for the same members. Who goes first alternates. */
async function timesOf(readOurs: Read, readCounted: Read): Promise<{ ours: number[]; counted: number[] }> {
  const ours: number[] = []
  const counted: number[] = []
  const end = performance.now() + 2 * seconds * 1000
  for (let round = 0; performance.now() < end; round++) {
    const id = anybody()
    const both: [number[], Read][] = [
      [ours, readOurs],
      [counted, readCounted],
    ]
    for (const [took, read] of round % 2 === 0 ? both : both.toReversed()) {
      const started = performance.now()
      await read(id)
      took.push(performance.now() - started)
    }
  }
  return { ours, counted }
}

function middleAndTail(times: readonly number[]): string {
  return `${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`
}

/** Own rank by counting those above, and the top hundred. The index on (day, score, member) holds all that is read. */
async function countToday(db: Database, id: bigint): Promise<number | null> {
  const [own] = await Promise.all([
    sql<{ rank: bigint }>`
      select 1 + (select count(*) from performance_day o where o.day = d.day and o.score > d.score) as rank
      from performance_day d where d.day = ${day}::date and d.member_id = ${id}`.execute(db),
    sql`
      select m.address, d.score, rank() over (order by d.score desc) as rank
      from (
        select member_id, score from performance_day where day = ${day}::date
        order by score desc, member_id limit 100
      ) d join member m on m.id = d.member_id order by d.score desc, d.member_id`.execute(db),
  ])
  return own.rows[0] === undefined ? null : Number(own.rows[0].rank)
}

/** As `countToday`, of the other list. */
async function countTeam(db: Database, id: bigint): Promise<number | null> {
  const [own] = await Promise.all([
    sql<{ rank: bigint }>`
      select 1 + (select count(*) from performance o where o.score > p.score and o.score > 0) as rank
      from performance p where p.member_id = ${id} and p.score > 0`.execute(db),
    sql`
      select m.address, p.score, rank() over (order by p.score desc) as rank
      from (
        select member_id, score from performance where score > 0
        order by score desc, member_id limit 100
      ) p join member m on m.id = p.member_id order by p.score desc, p.member_id`.execute(db),
  ])
  return own.rows[0] === undefined ? null : Number(own.rows[0].rank)
}

async function fullToday(db: Database, id: bigint): Promise<number | null> {
  const { rows } = await sql<{ rank: bigint }>`
    select rank from (
      select member_id, rank() over (order by own + direct desc) from performance_day where day = ${day}::date
    ) everybody where member_id = ${id}`.execute(db)
  return rows[0] === undefined ? null : Number(rows[0].rank)
}

async function fullTeam(db: Database, id: bigint): Promise<number | null> {
  const { rows } = await sql<{ rank: bigint }>`
    select rank from (
      select member_id, rank() over (order by team - largest desc) from performance where team > largest
    ) everybody where member_id = ${id}`.execute(db)
  return rows[0] === undefined ? null : Number(rows[0].rank)
}
