/**
 * What a ledger's size costs: one database that grows from size to size, the same work at each, every figure a cost per unit, and
 * its ratio to that at the first size. Then bytes per entry. Ends with an audit that must find nothing.
 *
 *   node bench/growth.ts [--entries 1000000,10000000] [--members 100000] [--rounds 5] [--batches 300] [--folder /some/folder]
 *     [--only posting] [--ids random]
 *
 * With `--folder` the database stays there, and the next call goes on with what is in it: a size that it has outgrown is left out.
 * Before a size is measured: vacuum analyze and a checkpoint; then a round that warms and does not count. Medians of rounds.
 * Half of the entries are shared income, which each member gets in turn; a tenth of the other postings are those of 100 busy
 * members, whose pages are full at any size. Postgres has the settings of deploy/postgres/patroni.yml. Ids of postings are made as the service makes
 * them; with `--ids random` those of what is measured have no time in them, which shows what the index of ids costs then.
 */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildServer, serverProgram } from '@candela/devnet/build/build-server'
import { startEmbeddedPostgres } from '@candela/devnet/postgres/embedded'
import { freePort } from '@candela/devnet/process/ports'
import { addDays, utcDay } from '@candela/protocol/calendar'
import { migrate } from '@candela/server/db/migrate'
import { openDatabase, transaction } from '@candela/server/db/open'
import { must } from '@candela/server/kernel/assert'
import { fakeClock, systemClock } from '@candela/server/kernel/clock'
import { systemIds, timeOfId, uuidFromName } from '@candela/server/kernel/ids'
import { silentLog } from '@candela/server/kernel/log'
import { auditRound } from '@candela/server/ledger/audit/audit-round'
import { checkPostings } from '@candela/server/ledger/audit/checks'
import { countOpenFindings } from '@candela/server/ledger/audit/findings'
import { settledUpTo } from '@candela/server/ledger/audit/horizon'
import { nextRange, sealRange } from '@candela/server/ledger/audit/seal-range'
import { memberAccount } from '@candela/server/ledger/chart'
import { type Posting, postBatch } from '@candela/server/ledger/post'
import { snapshotDeps } from '@candela/server/main/compose/compose-attest'
import { closeDays } from '@candela/server/modules/income/close-days'
import { addRevenue, DEPTH, finalAt } from '@candela/server/modules/income/testing'
import { takeSnapshot } from '@candela/server/modules/proof/snapshot/take-snapshot'
import { sql } from 'kysely'
import { serviceWithoutChain } from '../server/test/history/service.ts'
import { oneConfirmation } from '../server/test/proof/attested.ts'
import { startChainForServer } from '../server/test/testing/server.ts'
import { median, print, seconds } from './support/figures.ts'
import { printBytes } from './growth/bytes.ts'
import { addPower } from './growth/orders.ts'
import { addWorld, BUSY, countEntries, fillTo, findWorld, timeOf, type World } from './growth/fill.ts'
import { productionPostgres } from './growth/production-postgres.ts'
import { answers } from './support/service.ts'

const { values: flags } = parseArgs({
  options: {
    entries: { type: 'string', default: '1000000,10000000' },
    members: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    batches: { type: 'string', default: '300' },
    folder: { type: 'string' },
    ids: { type: 'string', default: 'time' },
    only: { type: 'string' },
  },
})
const sizes = flags.entries.split(',').map(Number)
const rounds = Number(flags.rounds)
const batches = Number(flags.batches)
const ids = systemIds(systemClock)
const CLIENTS = 8
const PER_BATCH = 100
/** Entries of one sealed range, and accounts of one statement: those of the running service. */
const AUDIT = { entries: 20_000, accounts: 10_000 }
/** Entries of each size that are checked one by one before they are sealed. */
const CHECKED = 500_000
/** Income is shared among so many at most, so that closing a day does not itself make the ledger grow by much. */
const MAX_OWNERS = 100_000

/** By name: cost per unit, in the order of measuring. */
type Costs = Map<string, { cost: number; unit: string }>

const folder = flags.folder ?? (await mkdtemp(join(tmpdir(), 'candela-growth-')))
const postgres = await startEmbeddedPostgres({ folder, settings: await productionPostgres() })
const db = openDatabase({
  url: postgres.url(),
  log: silentLog(),
  poolSize: CLIENTS,
  statementTimeout_ms: 3_600_000,
})
try {
  await migrate(db)
  const world = (await findWorld(db)) ?? (await addWorld(db, Number(flags.members)))
  const owners = Math.min(world.members, MAX_OWNERS)
  await addPower(db, world, owners)
  const all: { entries: number; costs: Costs }[] = []
  for (const size of sizes) {
    const present = await countEntries(db)
    if (present > size) {
      print(`left out: ${size} entries, there are ${present} already`)
      continue
    }
    const filled = await seconds(() => fillTo(db, world, size))
    print(`${size} entries of ${world.members} members; ${size - present} written in ${filled.toFixed(0)} s`)
    const costs = await measure(world, owners, size)
    all.push({ entries: size, costs })
    printCosts(all)
    await printBytes(db, await countEntries(db))
  }
} finally {
  await db.destroy()
  await postgres.stop()
  if (flags.folder === undefined) await rm(folder, { recursive: true, force: true })
}

async function measure(world: World, owners: number, entries: number): Promise<Costs> {
  const costs: Costs = new Map()
  const note: Note = (name, unit, cost) => {
    costs.set(name, { cost, unit })
    print(`    ${utcTime()} ${name}: ${cost.toFixed(1)} ${unit}`)
  }
  const clock = fakeClock(timeOf(entries).toISOString())
  await settle()
  for (const [when, perBatch, count] of [
    ['just after a checkpoint', PER_BATCH, batches],
    ['later', PER_BATCH, batches],
    ['later', 1, batches * 10],
  ] as const) {
    const { microseconds, bytes } = await postingCost(world, perBatch, count)
    note(`posting, ${perBatch} a transaction, ${when}`, 'µs a posting', microseconds)
    note(`write-ahead log, ${perBatch} a transaction, ${when}`, 'bytes a posting', bytes)
  }
  if (flags.only === 'posting') return costs
  await settle()
  await measureReads(world, clock, note)
  await measureAudit(note)
  await measureClose(clock, owners, note)
  await measureSnapshot(clock, world, note)
  note('start of a server', 'ms', await startCost())
  return costs
}

function utcTime(): string {
  return systemClock.now().toISOString().slice(11, 19)
}

async function settle(): Promise<void> {
  await sql`vacuum analyze`.execute(db)
  await sql`checkpoint`.execute(db)
}

/** Of all clients together, for each posting. */
async function postingCost(world: World, perBatch: number, count: number) {
  const rich = Math.floor(world.members / 10)
  const available = (place: number) => memberAccount(world.firstMember + BigInt(place), 'memberAvailable', 'USDT')
  const transfer = (): Posting => {
    const giver = Math.random() < 0.1 ? randomInt(BUSY) : randomInt(rich)
    const taker = Math.random() < 0.5 ? randomInt(rich) : randomInt(world.members)
    const requestId = ids.uuid()
    return {
      id: uuidFromName(`transfer:${giver}:${requestId}`, flags.ids === 'random' ? undefined : timeOfId(requestId)),
      kind: 'transfer',
      legs: [
        {
          debit: available(giver),
          credit: available(taker === giver ? (taker + 1) % world.members : taker),
          amount: 1n,
        },
      ],
      memo: {
        transferNo: requestId,
        from: `0x${'a'.repeat(40)}`,
        fromUid: '10001',
        to: `0x${'b'.repeat(40)}`,
        toUid: '10002',
        requestId,
        deadline: '2026-03-01T00:00:00.000Z',
        signature: `0x${'ab'.repeat(65)}`,
      },
      occurredAt: systemClock.now(),
    }
  }
  const took: number[] = []
  const logged: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const before = await logPlace()
    const work = Array.from({ length: count }, () => Array.from({ length: perBatch }, transfer))
    const queue = work.values()
    const client = async () => {
      for (const batch of queue) {
        const outcomes = await transaction(db, (tx) => postBatch(tx, batch))
        if (outcomes.some(({ outcome }) => outcome !== 'posted')) throw new Error('a transfer was not posted')
      }
    }
    const spent = await seconds(() => Promise.all(Array.from({ length: CLIENTS }, client)))
    if (round > 0) {
      took.push((spent * 1e6) / (count * perBatch))
      logged.push(((await logPlace()) - before) / (count * perBatch))
    }
  }
  await sql`select ledger_roll_up()`.execute(db)
  return { microseconds: median(took), bytes: median(logged) }
}

async function logPlace(): Promise<number> {
  const { rows } = await sql<{ place: bigint }>`
    select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint as place`.execute(db)
  return Number(must(rows[0], 'a function answers').place)
}

type Note = (name: string, unit: string, cost: number) => void

async function measureReads(world: World, clock: ReturnType<typeof fakeClock>, note: Note): Promise<void> {
  const { handlers, contextOf } = serviceWithoutChain(db, clock)
  const statement = async (place: number, cursor?: string) =>
    handlers['GET statement/list']({ limit: 20, ...(cursor === undefined ? {} : { cursor }) }, contextOf(idOf(place)))
  const orders = async (place: number) => handlers['GET power/orderList']({ limit: 20 }, contextOf(idOf(place)))
  const idOf = (place: number) => world.firstMember + BigInt(place)
  const busy = Array.from({ length: BUSY }, (_, place) => place)
  const others = Array.from({ length: BUSY }, () => randomInt(world.members))
  const deep = new Map<number, string>()
  for (const place of busy) {
    let cursor: string | undefined
    for (let page = 0; page < 10; page++) cursor = (await statement(place, cursor)).nextCursor ?? cursor
    deep.set(place, must(cursor, 'a busy member has many pages'))
  }
  note('statement, first page, busy member', 'µs a line', await each(busy, (place) => statement(place)))
  note(
    'statement, tenth page, busy member',
    'µs a line',
    await each(busy, (place) => statement(place, deep.get(place))),
  )
  note('statement, first page, any member', 'µs a line', await each(others, (place) => statement(place)))
  note('order list, first page, busy member', 'µs a line', await each(busy, orders))
}

type List = { items: readonly unknown[] }

/** Microseconds for each line that is answered, the median over rounds. */
async function each(places: readonly number[], call: (place: number) => Promise<List>): Promise<number> {
  const took: number[] = []
  for (let round = 0; round <= rounds; round++) {
    let lines = 0
    const spent = await seconds(async () => {
      for (const place of places) lines += (await call(place)).items.length
    })
    if (round > 0) took.push((spent * 1e6) / lines)
  }
  return median(took)
}

/**
 * Seals what is new, as the service does, and compares all balances with the entries. Of what was filled in, only the last
 * entries are checked one by one, which would take an hour for a hundred million; the others are sealed as they are.
 */
async function measureAudit(note: Note): Promise<void> {
  const horizon = settledUpTo(db)
  let step = await horizon.next()
  while (step.done !== true) step = await horizon.next()
  const { id: round } = await db
    .insertInto('ledger_audit_round')
    .values({ started_at: systemClock.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const took: number[] = []
  const { rows: sealed } = await sql<{ entries: bigint }>`
    select coalesce(sum(entries), 0)::bigint as entries from ledger_audit_range`.execute(db)
  let left = (await countEntries(db)) - Number(sealed[0]?.entries)
  for (;;) {
    const isChecked = left <= CHECKED
    const range = await nextRange(db, step.value, AUDIT.entries)
    if (range === null) break
    const spent = await seconds(() =>
      transaction(
        db,
        async (tx) => {
          const findings = isChecked ? await checkPostings(tx, range) : []
          if (findings.length > 0) throw new Error(`the audit found ${JSON.stringify(findings.slice(0, 3))}`)
          await sealRange(tx, range, round)
        },
        { isolation: 'repeatable read' },
      ),
    )
    // A range ends before a posting that would make it too large, so most have fewer entries.
    const { entries } = await db
      .selectFrom('ledger_audit_range')
      .select('entries')
      .orderBy('last_posting', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    left -= Number(entries)
    took.push((spent * 1e6) / Number(entries))
  }
  // The last ones: what the audit does at this size, not on the way to it.
  note('audit, sealing what is new', 'µs an entry', median(took.slice(-20)))
  const spent = await seconds(async () => {
    const whole = auditRound({ db, clock: systemClock, log: silentLog(), sizes: { ...AUDIT, verifyWithin: 1e9 } })
    while ((await whole.next()).done !== true);
  })
  if ((await countOpenFindings(db)) > 0) throw new Error('the audit found something')
  // Those without an entry, of which there are many at the first size, cost little.
  const { rows } = await sql<{ accounts: bigint }>`
    select count(*) as accounts from ledger_account where version > 0`.execute(db)
  note('audit, comparing balances', 'µs an account', (spent * 1e6) / Number(rows[0]?.accounts))
}

/** The days after the last closed one: the first warms. */
async function measureClose(clock: ReturnType<typeof fakeClock>, owners: number, note: Note): Promise<void> {
  const { rows } = await sql<{ day: string | null }>`select max(day)::text as day from income_day`.execute(db)
  const first = rows[0]?.day ?? '2025-12-31'
  await finalAt(db, new Date('2027-12-31T00:00:00Z'))
  await sql`update chain_cursor set followed_hash = 'h' || followed`.execute(db)
  const took: number[] = []
  for (let nth = 1; nth <= 3; nth++) {
    const day = addDays(first, nth)
    await addRevenue(db, day, 10n ** 24n)
    await sql`checkpoint`.execute(db)
    const spent = await seconds(() => closeDays({ db, clock, depth: DEPTH }, day))
    if (nth > 1) took.push((spent * 1e6) / owners)
  }
  note('close of a day', 'µs an account', Math.min(...took))
}

async function measureSnapshot(clock: ReturnType<typeof fakeClock>, { members }: World, note: Note): Promise<void> {
  const config = oneConfirmation()
  const payouts = { holdings: () => Promise.resolve({ JU: 0n, USDT: 0n, HASH: 0n }) }
  const deps = snapshotDeps({ db, clock, config, payouts, databaseUrl: postgres.url() })
  const { rows } = await sql<{ day: string | null }>`select max(day)::text as day from proof_snapshot`.execute(db)
  const day = addDays(rows[0]?.day ?? utcDay(timeOf(0)), 1)
  let isTaken = false
  const spent = await seconds(async () => {
    isTaken = await takeSnapshot(deps, day)
  })
  if (!isTaken) throw new Error('the snapshot was not taken')
  note('snapshot of what is owed', 'µs a member', (spent * 1e6) / members)
}

/** Milliseconds from the start of the process to its first answer, on this database and a chain of its own. */
async function startCost(): Promise<number> {
  await buildServer(() => undefined)
  const { chain, env } = await startChainForServer()
  const log = await open(join(folder, 'candela.log'), 'a')
  const took: number[] = []
  try {
    for (let round = 0; round < 3; round++) {
      await sql`delete from chain_block`.execute(db)
      await sql`delete from chain_cursor`.execute(db)
      const port = await freePort()
      const start = performance.now()
      const child = spawn(process.execPath, [serverProgram], {
        env: {
          PATH: process.env['PATH'] ?? '',
          ...env,
          NODE_ENV: 'production',
          EXIT_WITH_PARENT: 'on',
          PORT: String(port),
          PUBLIC_ORIGIN: 'https://app.example.org',
          RPC_URLS: 'https://rpc.example.org',
          DATABASE_URL: postgres.url(),
        },
        stdio: ['pipe', log.fd, log.fd],
      })
      const ended = new Promise((resolve) => child.once('exit', resolve))
      const isUp = await answers(port)
      took.push(performance.now() - start)
      child.kill('SIGTERM')
      await ended
      if (!isUp) throw new Error(`the server does not answer: see ${folder}/candela.log`)
    }
  } finally {
    await chain.stop()
    await log.close()
    await sql`delete from chain_block`.execute(db)
    await sql`delete from chain_cursor`.execute(db)
  }
  return median(took)
}

function printCosts(all: readonly { entries: number; costs: Costs }[]): void {
  const [first] = all
  const last = all.at(-1)
  if (first === undefined || last === undefined) return
  for (const [name, { cost, unit }] of last.costs) {
    const base = must(first.costs.get(name), 'the same measures').cost
    print(`  ${name}: ${cost.toFixed(1)} ${unit}, ratio ${(cost / base).toFixed(2)}`)
  }
}
