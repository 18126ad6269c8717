/**
 * How long a day's close takes for a million accounts, against a bare INSERT … SELECT of as many rows. One Postgres, fsync
 * on, the two in turns. Then the close is killed with -9 at random points and gone on with.
 *
 *   npx node tests/bench/accrual.ts [--accounts 1000000] [--rounds 3] [--kills 20] [--chunk 10000]
 *
 * close: everything that closing a day does, from fixing its figures to the last income. It writes one ledger entry and
 * one balance for each account. bare: for each account one row into a table like the ledger's entries and one into a
 * table like its balances, keys and indexes as there, one INSERT … SELECT each, ready-made values. updated: the same entries,
 * and the balances are there already, as those of members are, and one UPDATE adds to all of them. All in the cache of the same
 * server, checkpointed before.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedPostgres } from '@candela/testing/postgres/embedded'
import { migrate } from '@candela/server/db/migrate'
import { type Database, openDatabase } from '@candela/server/db/open'
import { fakeClock } from '@candela/server/kernel/clock'
import { silentLog } from '@candela/server/kernel/log'
import { auditLedger } from '@candela/server/ledger/audit'
import { addDays } from '@candela/protocol/calendar'
import { closeDays } from '@candela/server/modules/income/close-days'
import { addMembers, addPlans, addRevenue, DEPTH, finalAt } from '@candela/server/modules/income/testing'
import { sql } from 'kysely'
import { median, print, seconds } from './support/figures.ts'
import { interleaved, ratio } from './support/rounds.ts'
import { readFlags } from '../../scripts/usage.ts'

const { values: flags } = readFlags(import.meta.filename, {
  options: {
    accounts: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    kills: { type: 'string', default: '20' },
    chunk: { type: 'string', default: '10000' },
  },
})
const accounts = Number(flags.accounts)
const rounds = Number(flags.rounds)
const kills = Number(flags.kills)
const chunk = Number(flags.chunk)
const clock = fakeClock('2026-03-02T00:10:00Z')
const firstDay = '2026-03-01'
const revenue = 123_456_789n * 10n ** 15n + 7n
const closer = join(import.meta.dirname, '..', '..', 'server', 'src', 'modules', 'income', 'testing-closer.ts')

/** Accounts with power in one of three plans, in one order each. */
async function prepare(db: Database): Promise<void> {
  const plans = await addPlans(db, [50_000, 60_000, 80_000])
  const { first } = await addMembers(db, accounts)
  await sql`
    insert into chain_event (tx_hash, log_index, tx_position, block_number, block_hash, block_at, action, reference, asset,
      amount, payer, customer, confirmations_needed, state, outcome, credited_at)
    select '0x' || lpad(to_hex(n), 64, '0'), 0, 0, 1, 'b', ${firstDay}::date - 1, 'buyPower', 'ORDER-' || n, 'USDT', 1, 'p', 'c', 1,
      'credited', 'order', now() from generate_series(1, ${accounts}::int) as n`.execute(db)
  await sql`
    insert into power_order (order_no, member_id, plan_id, units, cost_usdt, asset, payable, price, state, created_at,
      pay_before, watch_until, term_days, settled_at, starts_on, ends_on, chain_event_id)
    select 'ORDER-' || lpad(n::text, 9, '0'), ${first}::bigint + n - 1, (${plans}::bigint[])[1 + n % 3], 1 + (n::bigint * 7919) % 997, 1, 'USDT', 1, 1,
      'active', now(), now(), now(), 360, now(), ${firstDay}::date, ${firstDay}::date + 359, n
    from generate_series(1, ${accounts}::int) as n`.execute(db)
  await sql`insert into member_power (member_id, active_units) select member_id, units from power_order`.execute(db)
  await sql`create table bare_entry (like ledger_entry including all)`.execute(db)
  await sql`create table bare_account (like ledger_account including all)`.execute(db)
  await sql`create table updated_account (like ledger_account including all)`.execute(db)
  await insertBalances(db, 'updated_account')
  await sql`vacuum analyze`.execute(db)
}

/** One for each account. */
async function insertBalances(db: Database, table: 'bare_account' | 'updated_account'): Promise<void> {
  await sql`
    insert into ${sql.table(table)} (id, balance, version)
    select n::bigint * 100000 + 10003, 118000000000000, 1 from generate_series(1, ${accounts}::int) n`.execute(db)
}

let lastPosting = 0

/** One entry for each account. */
async function insertEntries(db: Database): Promise<void> {
  lastPosting += 1
  await sql`
    insert into bare_entry (posting, line, kind, account, amount, balance, version)
    select ${lastPosting}, n, ledger_kind_code('income'), n::bigint * 100000 + 10003, 118000000000000, 118000000000000, 1 from generate_series(1, ${accounts}::int) n`.execute(
    db,
  )
}

async function bareRound(db: Database): Promise<number> {
  await sql`truncate bare_account`.execute(db)
  await sql`checkpoint`.execute(db)
  return seconds(async () => {
    await insertEntries(db)
    await insertBalances(db, 'bare_account')
  })
}

async function updatedRound(db: Database): Promise<number> {
  await sql`checkpoint`.execute(db)
  return seconds(async () => {
    await insertEntries(db)
    await sql`update updated_account set balance = balance + 118000000000000, version = version + 1`.execute(db)
  })
}

async function closeRound(db: Database, day: string): Promise<number> {
  await addRevenue(db, day, revenue)
  await sql`checkpoint`.execute(db)
  return seconds(() => closeDays({ db, clock, depth: DEPTH, chunk }, day))
}

/** Kills the closer until so many kills hit it at work, then lets it finish. Returns how many lives it took. */
async function killRound(db: Database, url: string, day: string, whole_ms: number): Promise<number> {
  await addRevenue(db, day, revenue)
  const paidTo = async () => (await readDay(db, day))?.paid_to_member ?? 0n
  let hits = 0
  let lives = 0
  while (hits < kills) {
    lives += 1
    const before = await paidTo()
    const args = [closer, url, day, String(chunk), clock.now().toISOString(), String(Number.MAX_SAFE_INTEGER)]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
    const ended = endOf(child)
    while (child.exitCode === null && (await paidTo()) === before) await sleep(10)
    // The part of the work that is left for each kill, so that all of them find some.
    await Promise.race([sleep(Math.random() * (whole_ms / kills) * 1.2), ended])
    if (child.exitCode !== null && child.exitCode !== 0) throw new Error('the closer failed')
    if (child.exitCode === 0) break
    child.kill('SIGKILL')
    await ended
    hits += 1
    print(`  killed at member ${await paidTo()}`)
  }
  await closeDays({ db, clock, depth: DEPTH, chunk }, day)
  print(`killed ${hits} times with -9, ${lives + 1} lives`)
  return hits
}

const endOf = (child: ChildProcess): Promise<void> => new Promise((resolve) => child.once('exit', () => resolve()))

const readDay = (db: Database, day: string) =>
  db.selectFrom('income_day').selectAll().where('day', '=', day).executeTakeFirst()

/** Every account once, each to the base unit what the formula says, and the remainder exact. */
async function verify(db: Database, day: string): Promise<void> {
  const closed = await readDay(db, day)
  if (closed === undefined || closed.closed_at === null) throw new Error(`${day} is not closed`)
  const { rows } = await sql<{ wrong: bigint; paid: bigint; lines: bigint }>`
    with paid as (
      select e.account, count(*) as times, sum(e.amount) as amount
      from ledger_posting p join ledger_entry e on e.posting = p.seq
      where p.kind = 'income' and p.memo->>'day' = ${day} and e.amount > 0 group by e.account
    ),
    due as (
      select o.member_id * 100000 + 10003 as account,
        div(${closed.revenue + closed.carried_in}::numeric * (1000000 - p.service_fee_ppm) * o.units,
          1000000 * ${closed.total_units}::numeric) as amount
      from power_order o join power_plan p on p.id = o.plan_id
    )
    select count(*) filter (where paid.times is distinct from 1 or paid.amount is distinct from due.amount) as wrong,
      sum(paid.amount) as paid, sum(paid.times)::bigint as lines
    from due full join paid using (account)`.execute(db)
  const [found] = rows
  if (found?.wrong !== 0n || found.lines !== BigInt(accounts) || found.paid !== closed.paid) {
    throw new Error(`${day}: ${String(found?.wrong)} accounts are wrong, ${String(found?.lines)} lines`)
  }
  const left = closed.revenue + closed.carried_in - closed.fee - closed.paid
  if (left < 0n || left > BigInt(accounts) + 3n) throw new Error(`${day}: ${left} is left over`)
}

const folder = await mkdtemp(join(tmpdir(), 'candela-accrual-'))
const postgres = await startEmbeddedPostgres({ folder })
const db = openDatabase({ url: postgres.url(), log: silentLog(), poolSize: 4, statementTimeout_ms: 600_000 })
try {
  await migrate(db)
  await prepare(db)
  await finalAt(db, new Date('2026-12-31T00:00:00Z'))
  let day = firstDay
  const found = await interleaved(
    { close: () => closeRound(db, day), bare: () => bareRound(db), updated: () => updatedRound(db) },
    rounds,
    // The first round also makes the accounts.
    async (round, { close, bare, updated }) => {
      print(
        `${round === 0 ? 'first ' : ''}${day}: close ${close.toFixed(2)} s, bare insert ${bare.toFixed(2)} s, insert and update ${updated.toFixed(2)} s`,
      )
      await verify(db, day)
      day = addDays(day, 1)
    },
  )
  const close = median(found.map((round) => round.close))
  print(`close of ${accounts} accounts: ${close.toFixed(2)} s, ${ratio(found, 'close', 'bare')} of the bare insert`)
  print(
    `insert and update of balances: ${ratio(found, 'updated', 'bare')} of the bare insert; close ${ratio(found, 'close', 'updated')} of it`,
  )
  if (kills > 0) {
    await killRound(db, postgres.url(), day, close * 1_000)
    await verify(db, day)
    print(`${day}: every account paid exactly once, remainder exact`)
  }
  const findings = await auditLedger(db)
  if (findings.length > 0) throw new Error(`the audit found ${JSON.stringify(findings.slice(0, 3))}`)
  print('audit of everything posted: nothing found')
} finally {
  await db.destroy()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
