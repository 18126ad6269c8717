/**
 * How quickly a member is told its place among many while purchases arrive. Prints p50 and p99 of own rank with the top
 * hundred, of both lists, and the same by a full `rank()` over everybody, in one run on one Postgres with fsync on; then
 * holds a sample of ranks against the full count.
 *
 *   node bench/ranking.ts [--accounts 1000000] [--seconds 20] [--purchases 200]
 *
 * `--purchases` arrive a second, each in a transaction of its own, and are folded as the service folds them.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '@candela/devnet/postgres/embedded'
import { migrate } from '@candela/server/db/migrate'
import { type Database, openDatabase, transaction } from '@candela/server/db/open'
import { silentLog } from '@candela/server/kernel/log'
import { countPurchases } from '@candela/server/modules/ranking/count-purchases'
import { foldPerformance } from '@candela/server/modules/ranking/fold-performance'
import { readTeamRank, readTodayRank } from '@candela/server/modules/ranking/read-rank'
import { sql } from 'kysely'
import { percentile, print } from './figures.ts'

const { values: flags } = parseArgs({
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
  await sql`analyze`.execute(db)
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
  const quick = { today: await timeOf(seconds, (id) => readTodayRank(db, id, now)), team: [] as number[] }
  quick.team = await timeOf(seconds, (id) => readTeamRank(db, id))
  const slow = { today: await timeOf(seconds, (id) => fullToday(db, id)), team: [] as number[] }
  slow.team = await timeOf(seconds, (id) => fullTeam(db, id))
  stopping.abort()
  await busy
  for (const board of ['today', 'team'] as const) {
    const [ours, full] = [percentile(quick[board], 0.99), percentile(slow[board], 0.99)]
    print(
      `${board}: ${percentile(quick[board], 0.5).toFixed(1)} ms, p99 ${ours.toFixed(1)} ms (${quick[board].length} reads); ` +
        `full rank() ${percentile(slow[board], 0.5).toFixed(0)} ms, p99 ${full.toFixed(0)} ms (${slow[board].length}); ` +
        `${(full / ours).toFixed(0)} times faster at p99`,
    )
  }
  while ((await foldPerformance(db)) > 0);
  let different = 0
  for (let nth = 0; nth < 20; nth++) {
    const id = anybody()
    const [today, team] = [await readTodayRank(db, id, now), await readTeamRank(db, id)]
    if (today.rank !== (await fullToday(db, id)) || team.rank !== (await fullTeam(db, id))) different += 1
  }
  print(`${different} of 20 ranks differ from the full count`)
  if (different > 0) process.exitCode = 1
}

async function timeOf(wanted_s: number, read: (id: bigint) => Promise<unknown>): Promise<number[]> {
  const took: number[] = []
  const end = performance.now() + wanted_s * 1000
  while (performance.now() < end) {
    const started = performance.now()
    await read(anybody())
    took.push(performance.now() - started)
  }
  return took
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
