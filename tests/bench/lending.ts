/**
 * How long the daily close of a million loans takes, against a bare INSERT … SELECT of the same rows, and how long the watcher
 * takes over a million positions for one observation of a price. One Postgres, fsync on, close and bare in turns.
 *
 *   npx node tests/bench/lending.ts [--loans 1000000] [--rounds 3] [--looks 5] [--crossing 100] [--chunk 2000]
 *
 * close: everything that charging a day does. It writes one ledger entry, one balance and one new version of the debt for
 * each loan, and the bounds of every fourteenth. bare: as many rows into tables like the first three, keys and indexes of the
 * ledger's as there, the debt with its key alone, as its new versions touch no other index, and no bounds; one INSERT … SELECT
 * each, ready-made values. Checkpointed before. updated: the least that a close can do: the same entries inserted, and the debts and
 * balances, which are there since the day before, updated in place, one statement each.
 * watch: one look at the prices of both collaterals when nobody has reached a line, when so many have reached their safety line,
 * and when so many are liquidated.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@candela/testing/postgres/embedded'
import { addDays } from '@candela/protocol/calendar'
import { WHOLE_UNIT } from '@candela/protocol/units'
import { migrate } from '@candela/server/db/migrate'
import { type Database, openDatabase, transaction } from '@candela/server/db/open'
import { fakeClock } from '@candela/server/kernel/clock'
import { systemIds } from '@candela/server/kernel/ids'
import { silentLog } from '@candela/server/kernel/log'
import { rollUp } from '@candela/server/ledger/upkeep/roll-up'
import { addMembers } from '@candela/server/modules/income/testing'
import { chargeDay } from '@candela/server/modules/lending/loan/daily/charge-day'
import { withFixedPrices } from '@candela/server/chain/price/testing/fixed-prices'
import { watchLoans } from '@candela/server/modules/lending/loan/watch/watch-loans'
import { sql } from 'kysely'
import { median, print, seconds, spread } from './support/figures.ts'
import { addLoans, CLEARING, INTEREST, SAFETY } from './support/loans.ts'
import { readFlags } from '../../scripts/usage.ts'

const { values: flags } = readFlags(import.meta.filename, {
  options: {
    loans: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    looks: { type: 'string', default: '5' },
    crossing: { type: 'string', default: '100' },
    chunk: { type: 'string', default: '2000' },
  },
})
const loans = Number(flags.loans)
const rounds = Number(flags.rounds)
const looks = Number(flags.looks)
const crossing = Number(flags.crossing)
const chunk = Number(flags.chunk)

const OPENED = '2026-03-01'
const clock = fakeClock(`${OPENED}T12:00:00Z`)
const ids = systemIds(clock)
const MEMBERS = 10_000

/** The loans, and the tables that they are compared with. */
async function prepare(db: Database): Promise<void> {
  const { first } = await addMembers(db, MEMBERS)
  await addLoans(db, { loans, firstMember: first, members: MEMBERS, openedOn: OPENED })
  await sql`create table bare_entry (like ledger_entry including all)`.execute(db)
  // LIKE does not copy how full the pages are.
  await sql`create table bare_account (like ledger_account including all) with (fillfactor = 50)`.execute(db)
  await sql`
    create table bare_debt (like loan_debt including defaults including constraints, primary key (loan_id))
    with (fillfactor = 45)`.execute(db)
  await sql`vacuum analyze`.execute(db)
}

type Bare = { ledger: number; debts: number; updated: number }

async function bareRound(db: Database, round: number): Promise<Bare> {
  await sql`truncate bare_account, bare_debt`.execute(db)
  await sql`checkpoint`.execute(db)
  const ledger = await seconds(async () => {
    await insertEntries(db, 2 * round)
    await sql`
      insert into bare_account (id, balance, version)
      select n::bigint * 100000 + 51002, -250000000000000000, 1 from generate_series(1, ${loans}::int) n`.execute(db)
  })
  const debts = await seconds(() => sql`insert into bare_debt select * from loan_debt`.execute(db))
  await sql`checkpoint`.execute(db)
  const updated = await seconds(async () => {
    await insertEntries(db, 2 * round + 1)
    await sql`update bare_account set balance = balance - 250000000000000000, version = version + 1`.execute(db)
    await sql`
      update bare_debt set interest_charged = interest_charged + 250000000000000000, interest_through = interest_through + 1`.execute(
      db,
    )
  })
  return { ledger, debts, updated }
}

const insertEntries = (db: Database, posting: number) =>
  sql`
    insert into bare_entry (posting, line, kind, account, amount, balance, version)
    select ${posting}, n, ledger_kind_code('interest'), n::bigint * 100000 + 51002, -250000000000000000, -250000000000000000, 1
    from generate_series(1, ${loans}::int) n`.execute(db)

async function closeRound(db: Database, day: string): Promise<number> {
  clock.set(`${day}T00:10:00Z`)
  await sql`checkpoint`.execute(db)
  return seconds(() => chargeDay({ db, chunk }, day, clock.now()))
}

/** Every loan is charged for the day, once. */
async function verifyDay(db: Database, day: string, days: number): Promise<void> {
  const { rows } = await sql<{ wrong: bigint }>`
    select count(*) as wrong from loan_debt where interest_through <> ${day}::date
      or interest_charged <> ${INTEREST}::numeric * ${days}::int`.execute(db)
  const entries = await sql<{ count: bigint }>`
    select count(*) as count from ledger_posting p join ledger_entry e on e.posting = p.seq
    where p.kind = 'interest' and p.memo->>'day' = ${day} and e.amount < 0`.execute(db)
  if (rows[0]?.wrong !== 0n || entries.rows[0]?.count !== BigInt(loans))
    throw new Error(`${day} is not charged as it should be`)
}

/** The price that reaches a line of so many loans. */
async function priceReaching(db: Database, line: bigint, count: number): Promise<bigint> {
  const { rows } = await sql<{ price: bigint }>`
    select div((principal + interest_charged - interest_paid) * 1000000 * ${WHOLE_UNIT}::numeric, collateral * ${line}::int) as price
    from loan_with_debt where closed_at is null order by id offset ${count - 1} limit 1`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error(`there are no ${count} loans`)
  return row.price
}

async function look(db: Database, price: bigint): Promise<{ ms: number; liquidated: number; warned: number }> {
  const before = await countWarned(db)
  let liquidated = 0
  const at = { liquidity: 10n ** 12n * WHOLE_UNIT }
  const prices = { JU: { average: price, ...at }, HASH: { average: WHOLE_UNIT, ...at } }
  const deps = { db: withFixedPrices(db, () => prices, clock), clock, ids }
  const took = await seconds(async () => (liquidated = await watchLoans(deps)))
  return { ms: took * 1_000, liquidated, warned: (await countWarned(db)) - before }
}

async function countWarned(db: Database): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`select count(*) as count from notice where kind = 'marginCall'`.execute(
    db,
  )
  return Number(rows[0]?.count ?? 0n)
}

const spreadOf = (ms: readonly number[]): string => `${spread(ms, 0)} ms`

async function measureWatch(db: Database): Promise<void> {
  const times = { nothing: [] as number[], safety: [] as number[], clearing: [] as number[] }
  // The first of each warms caches; it does not count.
  for (let nth = 0; nth <= looks; nth++) {
    // Loans that were told in the round before are safe again. The second look passes over what the first has moved in the indexes.
    for (let time = 0; time < 2; time++) await look(db, 10n * WHOLE_UNIT)
    const quiet = await look(db, 10n * WHOLE_UNIT)
    const called = await look(db, await priceReaching(db, SAFETY, crossing))
    // The loans between their lines at the price of the sale are told before.
    for (let time = 0; time < 2; time++) await look(db, (await priceReaching(db, CLEARING, 1)) + 1n)
    const sold = await look(db, await priceReaching(db, CLEARING, crossing))
    if (quiet.liquidated + quiet.warned + called.liquidated > 0) throw new Error('something was done that should not')
    if (called.warned !== crossing || sold.liquidated !== crossing) {
      throw new Error(`${called.warned} were told and ${sold.liquidated} liquidated of ${crossing}`)
    }
    clock.advance(60_000)
    await transaction(db, rollUp)
    if (nth === 0) continue
    times.nothing.push(quiet.ms)
    times.safety.push(called.ms)
    times.clearing.push(sold.ms)
  }
  print(`watcher over ${loans} loans: nobody at a line ${spreadOf(times.nothing)}`)
  print(`  ${crossing} at their safety line, told: ${spreadOf(times.safety)}`)
  print(`  ${crossing} at their clearing line, liquidated: ${spreadOf(times.clearing)}`)
}

const folder = await mkdtemp(join(tmpdir(), 'candela-credit-'))
const postgres = await startEmbeddedPostgres({ folder })
const db = openDatabase({ url: postgres.url(), log: silentLog(), poolSize: 4, statementTimeout_ms: 600_000 })
try {
  await migrate(db)
  print(`prepared in ${(await seconds(() => prepare(db))).toFixed(0)} s`)
  const ratios: number[] = []
  const times: number[] = []
  const ofUpdated: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const day = addDays(OPENED, 2 + round)
    const closeFirst = round % 2 === 0
    const early = closeFirst ? await closeRound(db, day) : undefined
    const bare = await bareRound(db, round)
    const close = early ?? (await closeRound(db, day))
    const ratio = close / (bare.ledger + bare.debts)
    print(
      `${round === 0 ? 'first ' : ''}${day}: close ${close.toFixed(2)} s, bare ${bare.ledger.toFixed(2)} s of the ledger ` +
        `and ${bare.debts.toFixed(2)} s of debts, ratio ${ratio.toFixed(2)}; updated ${bare.updated.toFixed(2)} s, ` +
        `ratio ${(close / bare.updated).toFixed(2)}`,
    )
    // The first round makes the accounts and warms caches.
    if (round > 0) {
      ratios.push(ratio)
      times.push(close)
      ofUpdated.push(close / bare.updated)
    }
    await verifyDay(db, day, 2 + round)
    await transaction(db, rollUp)
  }
  print(
    `close of ${loans} loans: ${median(times).toFixed(2)} s, ratio ${median(ratios).toFixed(2)} to inserts and ` +
      `${median(ofUpdated).toFixed(2)} to updates (medians)`,
  )
  await measureWatch(db)
} finally {
  await db.destroy()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
