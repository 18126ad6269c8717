/**
 * How much the ledger costs over the bare writing of its rows. Prints one line per measure: transfers per second and
 * the ratio, medians over interleaved rounds on one Postgres with fsync on.
 *
 *   npx node tests/bench/ledger.ts [--rounds 7] [--batches 400] [--members 100000]
 *
 * ledger: postBatch, 100 transfers a batch, one transaction each. bare: from postings made in the same way to the same rows in tables
 * with the same columns and indexes, one INSERT a batch, same number of transactions; balances and versions are constants.
 * What turns postings into values of the statement counts on both sides. updated: the same insert, and
 * a second statement that adds to the balances of the accounts, in the order of their numbers and with nothing checked. pgbench: its TPC-B, one transfer a transaction. All
 * with 8 clients.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startEmbeddedPostgres } from '@candela/testing/postgres/embedded'
import { arrayLiteral } from '@candela/server/db/array-literal'
import { migrate } from '@candela/server/db/migrate'
import { type Database, openDatabase, transaction } from '@candela/server/db/open'
import { systemClock } from '@candela/server/kernel/clock'
import { systemIds } from '@candela/server/kernel/ids'
import { silentLog } from '@candela/server/kernel/log'
import { auditLedger } from '@candela/server/ledger/audit'
import { memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { type Posting, postBatch } from '@candela/server/ledger/post'
import { sql } from 'kysely'
import { median, print } from './support/figures.ts'
import { interleaved, ratio } from './support/rounds.ts'
import { testMemo } from '@candela/server/ledger/testing/testing-memo'
import { readFlags } from '../../scripts/usage.ts'

const clients = 8
const batchSize = 100
const { values: flags } = readFlags(import.meta.filename, {
  options: {
    rounds: { type: 'string', default: '7' },
    batches: { type: 'string', default: '400' },
    members: { type: 'string', default: '100000' },
  },
})
const rounds = Number(flags.rounds)
const batchesPerRound = Number(flags.batches)
const members = Number(flags.members)
const ids = systemIds(systemClock)

type Workload = { name: string; legs: () => Posting['legs'] }

const pick = (): bigint => BigInt(randomBytes(4).readUInt32BE() % members) + 1n
const available = (member: bigint) => memberAccount(member, 'memberAvailable', 'USDT')
const workloads: Workload[] = [
  {
    name: 'transfers between members',
    legs: () => {
      const from = pick()
      const to = (from % BigInt(members)) + 1n
      return [{ debit: available(from), credit: available(to), amount: 1n }]
    },
  },
  {
    name: 'purchases (member to revenue)',
    legs: () => [{ debit: available(pick()), credit: platformAccount('salesRevenue', 'USDT'), amount: 1n }],
  },
]

function makeBatch(workload: Workload): Posting[] {
  return Array.from({ length: batchSize }, () => ({
    id: ids.uuid(),
    kind: 'deposit',
    legs: workload.legs(),
    memo: testMemo(ids.orderNumber()),
    occurredAt: systemClock.now(),
  }))
}

// As the ledger's own call does it: the driver's general way to write arrays would slow the bare insert down.
const list = (items: readonly (string | number | bigint)[]) => arrayLiteral(items, (item) => item)

/** Rows as the ledger would store them, as arrays of one statement. */
function bareRows(postings: Posting[], firstSeq: number) {
  const lines = postings.flatMap(({ legs }, place) =>
    legs.flatMap(({ debit, credit, amount }, leg) => [
      { posting: firstSeq + place, line: leg * 2 + 1, account: debit, amount: -amount },
      { posting: firstSeq + place, line: leg * 2 + 2, account: credit, amount },
    ]),
  )
  return {
    seqs: list(postings.map((_, place) => firstSeq + place)),
    ids: list(postings.map(({ id }) => id)),
    kinds: list(postings.map(({ kind }) => kind)),
    memos: list(postings.map(({ memo }) => JSON.stringify(JSON.stringify(memo)))),
    times: list(postings.map(({ occurredAt }) => occurredAt.toISOString())),
    linePostings: list(lines.map(({ posting }) => posting)),
    lines: list(lines.map(({ line }) => line)),
    accounts: list(lines.map(({ account }) => account)),
    amounts: list(lines.map(({ amount }) => amount)),
    // Rolled-up accounts have neither, here as there.
    balances: list(lines.map(({ account }) => (account < 100_000n ? 'null' : 10n ** 24n))),
    versions: list(lines.map(({ account }) => (account < 100_000n ? 'null' : 1000n))),
  }
}

async function insertBare(
  db: Database,
  postings: Posting[],
  { updatesBalances }: { updatesBalances: boolean },
): Promise<void> {
  const rows = bareRows(postings, bareSeq)
  bareSeq += batchSize
  await transaction(db, async (tx) => {
    if (updatesBalances) {
      await sql`
        update bare_account a set balance = a.balance + net.gain, version = a.version + net.entries
        from (
          select account, sum(amount) as gain, count(*) as entries
          from unnest(${rows.accounts}::bigint[], ${rows.amounts}::numeric[]) as l(account, amount)
          group by account order by account
        ) net
        where a.id = net.account`.execute(tx)
    }
    await sql`
      with posted as (
        insert into bare_posting (seq, id, kind, memo, occurred_at)
        select * from unnest(${rows.seqs}::bigint[], ${rows.ids}::uuid[], ${rows.kinds}::text[], ${rows.memos}::jsonb[],
          ${rows.times}::timestamptz[])
      )
      insert into bare_entry (posting, line, kind, account, amount, balance, version)
      select posting, line, ledger_kind_code('transfer'), account, amount, balance, version
      from unnest(${rows.linePostings}::bigint[], ${rows.lines}::integer[], ${rows.accounts}::bigint[],
        ${rows.amounts}::numeric[], ${rows.balances}::numeric[], ${rows.versions}::bigint[])
        as l(posting, line, account, amount, balance, version)`.execute(tx)
  })
}

/** Seconds that all jobs took with `clients` at a time. */
async function timed(jobs: (() => Promise<void>)[]): Promise<number> {
  const queue = jobs.values()
  const start = process.hrtime.bigint()
  const worker = async () => {
    for (const job of queue) await job()
  }
  await Promise.all(Array.from({ length: clients }, worker))
  return Number(process.hrtime.bigint() - start) / 1e9
}

async function prepare(db: Database): Promise<void> {
  await migrate(db)
  await sql`create table bare_posting (like ledger_posting including all)`.execute(db)
  await sql`create table bare_entry (like ledger_entry including all)`.execute(db)
  const funding = Array.from({ length: members }, (_, place) => ({
    id: ids.uuid(),
    kind: 'deposit' as const,
    legs: [{ debit: platformAccount('custody', 'USDT'), credit: available(BigInt(place) + 1n), amount: 10n ** 24n }],
    memo: testMemo(),
    occurredAt: systemClock.now(),
  }))
  while (funding.length > 0) {
    const part = funding.splice(0, 2000)
    await transaction(db, (tx) => postBatch(tx, part))
  }
  await sql`create table bare_account (like ledger_account including all)`.execute(db)
  await sql`insert into bare_account select * from ledger_account`.execute(db)
}

let bareSeq = 1

const makeBatches = (workload: Workload) => Array.from({ length: batchesPerRound }, () => makeBatch(workload))

const ledgerRound = (workload: Workload) => async (): Promise<number> => {
  const seconds = await timed(
    makeBatches(workload).map((batch) => async () => {
      const outcomes = await transaction(db, (tx) => postBatch(tx, batch))
      if (outcomes.some(({ outcome }) => outcome !== 'posted')) throw new Error('a transfer was not posted')
    }),
  )
  return (batchesPerRound * batchSize) / seconds
}

const bareRound = (workload: Workload, updatesBalances: boolean) => async (): Promise<number> => {
  const seconds = await timed(makeBatches(workload).map((batch) => () => insertBare(db, batch, { updatesBalances })))
  return (batchesPerRound * batchSize) / seconds
}

const run = promisify(execFile)

async function pgbench(url: string, args: string[]): Promise<string | undefined> {
  try {
    return (await run('pgbench', [...args, url])).stdout
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function pgbenchRound(url: string): Promise<number> {
  const output = await pgbench(url, ['-n', '-c', String(clients), '-j', '2', '-T', '3'])
  return Number(/^tps = ([\d.]+)/m.exec(output ?? '')?.[1] ?? Number.NaN)
}

const folder = await mkdtemp(join(tmpdir(), 'candela-bench-'))
const postgres = await startEmbeddedPostgres({ folder })
const db = openDatabase({ url: postgres.url(), log: silentLog(), poolSize: clients })
try {
  await prepare(db)
  const hasPgbench = (await pgbench(postgres.url(), ['-i', '-q', '-s', '10'])) !== undefined
  const tps: number[] = []
  for (const workload of workloads) {
    const found = await interleaved(
      { ledger: ledgerRound(workload), bare: bareRound(workload, false), updated: bareRound(workload, true) },
      rounds,
      async () => {
        if (hasPgbench && workload === workloads[0]) tps.push(await pgbenchRound(postgres.url()))
      },
    )
    const rate = (name: 'ledger' | 'bare' | 'updated') => median(found.map((round) => round[name]))
    print(
      `${workload.name}: ledger ${rate('ledger').toFixed(0)}/s, bare insert ${rate('bare').toFixed(0)}/s, ratio ${ratio(found, 'ledger', 'bare', 3)}`,
    )
    print(
      `${workload.name}: insert and update of balances ${rate('updated').toFixed(0)}/s, ${ratio(found, 'updated', 'bare', 3)} of the bare insert; ledger ${ratio(found, 'ledger', 'updated', 3)} of it`,
    )
    if (workload !== workloads[0]) continue
    print(
      hasPgbench
        ? `pgbench TPC-B: ${median(tps).toFixed(0)} tps, ledger transfers/s over tps ${(rate('ledger') / median(tps)).toFixed(1)}`
        : 'pgbench TPC-B: not measured, there is no pgbench on PATH',
    )
  }
  const findings = await auditLedger(db)
  if (findings.length > 0) throw new Error(`the audit found ${JSON.stringify(findings.slice(0, 3))}`)
  print('audit of everything posted: nothing found')
} finally {
  await db.destroy()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
