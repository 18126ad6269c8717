/**
 * The ledger beside pgledger, a ledger in Postgres alone: transfers a second and their ratio, one transfer and 100 transfers a
 * transaction, on 1, 8 and 32 connections. Medians over rounds in turns, of one Postgres with fsync on.
 *
 *   npx node tests/bench/pgledger.ts --sql uuid-to-ulid.sql --sql pgledger.sql [--rounds 5] [--members 100000]
 *
 * pgledger's own files are read from its repository (https://github.com/pgr0ss/pgledger), in the order that they build on each
 * other. Both sides have as many accounts with the same balances, post the same transfers with the same memo, and refuse to let an
 * account go below zero; both by one statement that commits itself.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { randomInt } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@candela/testing/postgres/embedded'
import { migrate } from '@candela/server/db/migrate'
import { type Database, openDatabase, transaction, type Tx } from '@candela/server/db/open'
import { systemClock } from '@candela/server/kernel/clock'
import { systemIds } from '@candela/server/kernel/ids'
import { silentLog } from '@candela/server/kernel/log'
import { auditLedger } from '@candela/server/ledger/audit'
import { memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { postBatch } from '@candela/server/ledger/post'
import { testMemo } from '@candela/server/ledger/testing/testing-memo'
import { sql } from 'kysely'
import { median, print, seconds, spread } from './support/figures.ts'
import { endWithUsage, readFlags } from '../../scripts/usage.ts'

const { values: flags } = readFlags(import.meta.filename, {
  options: {
    sql: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string', default: '5' },
    members: { type: 'string', default: '100000' },
  },
})
if (flags.sql.length === 0) endWithUsage(import.meta.filename, '--sql names the files of pgledger')
const rounds = Number(flags.rounds)
const members = Number(flags.members)
const FUNDS = 10n ** 24n
const CONNECTIONS = [1, 8, 32]
/** Transfers of a transaction, and of a round. */
const SHAPES = [
  { perBatch: 1, transfers: 3_000 },
  { perBatch: 100, transfers: 20_000 },
]
const ids = systemIds(systemClock)

let theirAccounts: string[] = []

type Transfer = { from: number; to: number }
type Side = (db: Database, batch: readonly Transfer[]) => Promise<unknown>

/** On a database each. */
async function prepare(): Promise<void> {
  await within(1, 'postgres', async (db) => {
    await migrate(db)
    const funding = Array.from({ length: members }, (_, place) => ({
      id: ids.uuid(),
      kind: 'deposit' as const,
      legs: [{ debit: platformAccount('custody', 'USDT'), credit: ourAccount(place), amount: FUNDS }],
      memo: testMemo(),
      occurredAt: systemClock.now(),
    }))
    while (funding.length > 0) {
      const part = funding.splice(0, 2000)
      await transaction(db, (tx) => postBatch(tx, part))
    }
    await sql`create database pgledger`.execute(db)
  })
  const files = await Promise.all(flags.sql.map((path) => readFile(path, 'utf8')))
  await within(1, 'pgledger', async (db) => {
    for (const file of files) await sql.raw(file).execute(db)
    await sql`
      insert into pgledger_accounts (id, name, currency, balance, allow_negative_balance, allow_positive_balance, created_at, updated_at)
      select 'pgla_' || uuid_to_ulid(uuidv7()), place, 'USDT', ${FUNDS}::numeric, false, true, now(), now()
      from generate_series(0, ${members}::integer - 1) place`.execute(db)
    const { rows } = await sql<{ id: string }>`
      select id from pgledger_accounts order by name::integer`.execute(db)
    theirAccounts = rows.map(({ id }) => id)
  })
}

const ourAccount = (place: number) => memberAccount(BigInt(place) + 1n, 'memberAvailable', 'USDT')

const ours: Side = (db, batch) =>
  postBatch(
    // A statement is a transaction of its own here, as on the other side.
    db as Tx,
    batch.map(({ from, to }) => ({
      id: ids.uuid(),
      kind: 'deposit' as const,
      legs: [{ debit: ourAccount(from), credit: ourAccount(to), amount: 1n }],
      memo: testMemo(ids.orderNumber()),
      occurredAt: systemClock.now(),
    })),
  )

const theirs: Side = (db, batch) => {
  const of = (side: keyof Transfer) => `{${batch.map((transfer) => theirAccounts[transfer[side]]).join(',')}}`
  return sql`
    select id from pgledger_create_transfers(
      (select array_agg(row(from_id, to_id, 1)::transfer_request)
        from unnest(${of('from')}::text[], ${of('to')}::text[]) as asked(from_id, to_id)),
      now(), ${JSON.stringify(testMemo(ids.orderNumber()))}::jsonb)`.execute(db)
}

async function compare(connections: number, { perBatch, transfers }: (typeof SHAPES)[number]): Promise<void> {
  const rates: Record<'ours' | 'theirs', number[]> = { ours: [], theirs: [] }
  await within(connections, 'postgres', (our) =>
    within(connections, 'pgledger', async (their) => {
      for (let round = 0; round <= rounds; round++) {
        const batches = Array.from({ length: transfers / perBatch }, () =>
          Array.from({ length: perBatch }, anyTransfer),
        )
        const run = async (db: Database, post: Side) => {
          const queue = batches.values()
          const client = async () => {
            for (const batch of queue) await post(db, batch)
          }
          return transfers / (await seconds(() => Promise.all(Array.from({ length: connections }, client))))
        }
        // The order of the two alternates.
        const turns = [
          async () => ({ side: 'ours' as const, rate: await run(our, ours) }),
          async () => ({ side: 'theirs' as const, rate: await run(their, theirs) }),
        ]
        for (const turn of round % 2 === 0 ? turns : turns.toReversed()) {
          const { side, rate } = await turn()
          // The first round warms caches and plans.
          if (round > 0) rates[side].push(rate)
        }
      }
    }),
  )
  const ratios = rates.ours.map((rate, round) => rate / (rates.theirs[round] ?? Number.NaN))
  const what = `${connections} connections, ${perBatch} a transaction`
  print(
    `${what}: ledger ${median(rates.ours).toFixed(0)}/s, pgledger ${median(rates.theirs).toFixed(0)}/s, ratio ${spread(ratios)}`,
  )
}

function anyTransfer(): Transfer {
  const from = randomInt(members)
  return { from, to: (from + 1 + randomInt(members - 1)) % members }
}

async function within(poolSize: number, name: string, work: (db: Database) => Promise<void>): Promise<void> {
  const db = openDatabase({ url: postgres.url(name), log: silentLog(), poolSize })
  try {
    await work(db)
  } finally {
    await db.destroy()
  }
}

/** Nothing was lost on either side. */
async function checkSums(): Promise<void> {
  await within(1, 'postgres', async (db) => {
    const findings = await auditLedger(db)
    if (findings.length > 0) throw new Error(`the audit found ${JSON.stringify(findings.slice(0, 3))}`)
  })
  await within(1, 'pgledger', async (db) => {
    const { rows } = await sql<{ sum: bigint }>`select sum(balance) as sum from pgledger_accounts`.execute(db)
    if (rows[0]?.sum !== FUNDS * BigInt(members)) throw new Error('the sum of the balances of pgledger has changed')
  })
  print('sums of both sides: right')
}

const folder = await mkdtemp(join(tmpdir(), 'candela-bench-'))
const postgres = await startEmbeddedPostgres({ folder })
try {
  await prepare()
  for (const connections of CONNECTIONS) for (const shape of SHAPES) await compare(connections, shape)
  await checkSums()
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
