import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate, migrationsFolder } from '../../db/migrate.ts'
import { type Database, transaction, type Tx } from '../../db/open.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { uuidFromName } from '../../kernel/ids.ts'
import { auditLedger } from '../audit.ts'
import { memberBalances } from '../balances.ts'
import { memberAccount, platformAccount } from '../chart.ts'
import { addPartitions, PARTITIONS_AHEAD, partitionsAhead } from './partitions.ts'
import { type Posting, postBatch } from '../post.ts'
import { entriesAfter } from '../statement/entries-after.ts'
import { statement } from '../statement/statement.ts'
import { testMemo } from '../testing/testing-memo.ts'

const POSTINGS_PER_BATCH = 16_384n
const mine = memberAccount(1n, 'memberAvailable', 'USDT')
const other = memberAccount(2n, 'memberAvailable', 'USDT')

let own: TestDatabase
let db: Database
beforeEach(async () => {
  own = await createTestDatabase({ asOwner: true })
  db = own.db
})
afterEach(() => own.drop())

const posting = (amount: number, account = mine): Posting => ({
  id: uuidFromName(`${account} ${amount}`),
  kind: 'deposit',
  legs: [{ debit: platformAccount('custody', 'USDT'), credit: account, amount: BigInt(amount) }],
  memo: testMemo(),
  occurredAt: new Date('2026-03-01T00:00:00Z'),
})

const post = (...postings: Posting[]) => transaction(db, (tx) => postBatch(tx, postings))

/** The next batch gets the first numbers of this part. */
async function goTo(part: number): Promise<void> {
  await sql`
    select setval('ledger_batch_seq', (select first_posting / ${POSTINGS_PER_BATCH}::bigint from ledger_partition where number = ${part}), false)`.execute(
    db,
  )
}

const parts = () => db.selectFrom('ledger_partition').selectAll().orderBy('number').execute()

/** How many entries each partition has, those without any left out. */
async function filled(): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; entries: bigint }>`
    select tableoid::regclass::text as name, count(*) as entries from ledger_entry group by 1 order by 1`.execute(db)
  return Object.fromEntries(rows.map(({ name, entries }) => [name, Number(entries)]))
}

/** Five amounts in the first part and five in the second. */
async function postOverTheBoundary(): Promise<void> {
  for (const amount of [1, 2, 3, 4, 5]) await post(posting(amount))
  await goTo(2)
  for (const amount of [6, 7, 8, 9, 10]) await post(posting(amount))
}

test('postings go on from one part to the next, and the balance, both directions of reading and the audit with them', async () => {
  await postOverTheBoundary()
  expect(await filled()).toEqual({ ledger_entry_1: 10, ledger_entry_2: 10 })
  expect((await memberBalances(db, 1n)).USDT.available).toBe(55n)
  expect(await auditLedger(db)).toEqual([])
  const down: bigint[] = []
  let cursor: string | undefined
  do {
    const page = await statement(db, { accounts: [mine, other], kinds: ['deposit'], limit: 3, cursor })
    down.push(...page.items.map(({ amount }) => amount))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  expect(down).toEqual([10n, 9n, 8n, 7n, 6n, 5n, 4n, 3n, 2n, 1n])
  const up: bigint[] = []
  for (let after = 0n; ;) {
    const page = await entriesAfter(db, { account: mine, kinds: ['deposit'], posting: after, limit: 3 })
    if (page.length === 0) break
    up.push(...page.map(({ amount }) => amount))
    after = page.at(-1)?.posting ?? after
  }
  expect(up).toEqual(down.toReversed())
})

test('the audit finds in an older part what it finds in the newest', async () => {
  await postOverTheBoundary()
  for (const name of ['ledger_entry_1', 'ledger_entry_2']) {
    await sql`alter table ${sql.table(name)} disable trigger all`.execute(db)
    await sql`update ${sql.table(name)} set balance = balance + 1 where account = ${mine}`.execute(db)
    expect((await auditLedger(db)).map(({ rule }) => rule)).toContain(
      'running balance and version follow from the entries',
    )
    await sql`update ${sql.table(name)} set balance = balance - 1 where account = ${mine}`.execute(db)
    expect(await auditLedger(db)).toEqual([])
  }
  // An account whose only entries are in the older part, and whose row is gone.
  await goTo(3)
  await sql`alter table ledger_account disable trigger all`.execute(db)
  await sql`delete from ledger_account where id = ${mine}`.execute(db)
  expect(await auditLedger(db)).toEqual([
    {
      rule: 'each balance is that of the last entry',
      subject: `account ${mine}`,
      details: 'balance version entry balance 55 version 10',
    },
  ])
})

test('every part is append-only and has each line once, also when it is named itself, and one that was added', async () => {
  await postOverTheBoundary()
  await goTo(3)
  await post(posting(11))
  await addPartitions(db)
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'ledger_entry'::regclass`.execute(db)
  expect(rows.length).toBeGreaterThan(3)
  for (const name of ['ledger_entry', ...rows.map((row) => row.name)]) {
    const table = sql.table(name)
    for (const change of [
      sql`update ${table} set amount = amount + 1`,
      sql`delete from ${table}`,
      sql`truncate ${table}`,
    ]) {
      await expect(change.execute(db)).rejects.toThrow(`${name} is append-only`)
      const replicated = transaction(db, async (tx) => {
        await sql`set local session_replication_role = replica`.execute(tx)
        await change.execute(tx)
      })
      await expect(replicated).rejects.toThrow(`${name} is append-only`)
    }
  }
  await expect(
    sql`insert into ledger_entry select * from ledger_entry order by posting desc limit 1`.execute(db),
  ).rejects.toThrow('duplicate key')
})

/** How often each partition was looked into by this, in a transaction of its own. */
async function looks(accounts: readonly bigint[], limit: number): Promise<Record<string, number>> {
  return transaction(db, async (tx) => {
    const before = await looksOf(tx)
    await sql`select * from ledger_newest(${accounts}::bigint[], ${['deposit']}::text[], 9223372036854775807, 0, 0, ${limit}::integer)`.execute(
      tx,
    )
    const after = await looksOf(tx)
    const made = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)] as const)
    return Object.fromEntries(made.filter(([, count]) => count > 0))
  })
}

/** Reads what is counted and not given to the statistics of all sessions yet. */
async function looksOf(tx: Tx): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; looks: bigint }>`
    select relname as name, seq_scan + idx_scan as looks from pg_stat_xact_user_tables
    where relname like 'ledger\_entry\_%' order by 1`.execute(tx)
  return Object.fromEntries(rows.map((row) => [row.name, Number(row.looks)]))
}

test('a page is read from the newest part alone when that has enough, and a part without the account costs one look', async () => {
  await postOverTheBoundary()
  expect(Object.keys(await looks([mine], 5))).toEqual(['ledger_entry_2', 'ledger_entry_3'])
  expect((await looks([mine], 5))['ledger_entry_3']).toBe(1)
  expect(Object.keys(await looks([mine], 6))).toEqual(['ledger_entry_1', 'ledger_entry_2', 'ledger_entry_3'])
  expect(await looks([other], 5)).toEqual({ ledger_entry_1: 1, ledger_entry_2: 1, ledger_entry_3: 1 })
})

test('parts are made until enough wait, as wide as their entries need by what batches have had', async () => {
  expect(await partitionsAhead(db)).toBe(PARTITIONS_AHEAD)
  expect(await addPartitions(db)).toBe(0)
  await goTo(2)
  await post(...Array.from({ length: 50 }, (_none, at) => posting(at + 1)))
  expect(await partitionsAhead(db)).toBe(PARTITIONS_AHEAD - 1)
  expect(await addPartitions(db, 1_000)).toBe(1)
  expect(await partitionsAhead(db)).toBe(PARTITIONS_AHEAD)
  const made = await parts()
  expect(made.map(({ number }) => number)).toEqual([1, 2, 3, 4])
  // Without gaps, and the last one has no end.
  expect(made.slice(1).map(({ first_posting }) => first_posting)).toEqual(made.slice(0, -1).map(({ beyond }) => beyond))
  expect(made.at(-1)?.beyond).toBe(2n ** 63n - 1n)
  // Nothing is counted yet, so a batch is taken to have a hundred entries.
  expect((made[2]?.beyond ?? 0n) - (made[2]?.first_posting ?? 0n)).toBe(10n * POSTINGS_PER_BATCH)
  await sql`analyze ledger_entry`.execute(db)
  await goTo(3)
  await post(posting(51))
  expect(await addPartitions(db, 1_000)).toBe(1)
  const widened = (await parts())[3]
  // Few entries in many numbers, as in a quiet year: no wider, or the next one could hold hundreds of times as many.
  expect((widened?.beyond ?? 0n) - (widened?.first_posting ?? 0n)).toBe(10n * POSTINGS_PER_BATCH)
})

test('without a part that waits posting goes on, and parts are made behind what was posted', async () => {
  await post(posting(1))
  await goTo(3)
  for (const amount of [2, 3]) await post(posting(amount))
  expect(await partitionsAhead(db)).toBe(0)
  expect(await filled()).toEqual({ ledger_entry_1: 2, ledger_entry_3: 4 })
  expect(await addPartitions(db)).toBe(2)
  expect(await partitionsAhead(db)).toBe(2)
  await post(posting(4))
  expect(await filled()).toEqual({ ledger_entry_1: 2, ledger_entry_3: 6 })
  expect((await memberBalances(db, 1n)).USDT.available).toBe(10n)
  expect(await auditLedger(db)).toEqual([])
})

test('while somebody reads, no part is made and nobody waits for it for long', async () => {
  await goTo(2)
  await post(posting(1))
  await transaction(db, async (tx) => {
    await sql`select count(*) from ledger_entry`.execute(tx)
    expect(await addPartitions(db)).toBe(0)
    await post(posting(2))
  })
  expect(await addPartitions(db)).toBe(1)
})

test('entries that were there before partitions are the first one, as they were on the disk', async () => {
  await using database = await createTestDatabase({ asOwner: true })
  const old = database.db
  // As it was before: one table, and functions that know no parts.
  await sql`drop table ledger_entry cascade`.execute(old)
  await sql`drop table ledger_partition`.execute(old)
  for (const name of ['ledger_make_partition', 'ledger_add_partition', 'ledger_keep_vacuumed', 'ledger_last_entries']) {
    await sql`drop function ${sql.id(name)}`.execute(old)
  }
  await sql`
    create table ledger_entry (posting bigint not null, line integer not null, kind integer not null, account bigint not null,
      amount numeric(100, 0) not null, balance numeric(100, 0), version bigint)`.execute(old)
  await sql`alter table ledger_entry add primary key (posting, line)`.execute(old)
  await sql`create index ledger_entry_account on ledger_entry (account, kind, posting, line)`.execute(old)
  await sql`create trigger append_only before update or delete or truncate on ledger_entry
    for each statement execute function ledger_is_append_only()`.execute(old)
  await sql`alter table ledger_entry enable always trigger append_only`.execute(old)
  await transaction(old, (tx) => postBatch(tx, [posting(1), posting(2)]))
  const fileOf = async (table: string) =>
    (await sql<{ file: string }>`select pg_relation_filepath(${table}::regclass) as file`.execute(old)).rows[0]?.file
  const before = await fileOf('ledger_entry')
  // Later ones answer more columns, which a replacement may not change.
  await sql`drop function ledger_newest(bigint[], text[], bigint, integer, bigint, integer)`.execute(old)
  await sql`drop function ledger_next(bigint, text[], bigint, integer)`.execute(old)
  await sql.raw(await readFile(join(migrationsFolder, '0440_ledger_partitions.sql'), 'utf8')).execute(old)
  expect(await fileOf('ledger_entry_1')).toBe(before)
  await transaction(old, (tx) => postBatch(tx, [posting(3)]))
  expect(await auditLedger(old)).toEqual([])
  expect((await memberBalances(old, 1n)).USDT.available).toBe(6n)
  expect(await migrate(old)).toEqual({ applied: [], newer: [] })
})
