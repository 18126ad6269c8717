import type { Key } from '@candela/protocol/endpoints'
import { type Database, openDatabase, transaction } from '@candela/server/db/open'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { must } from '@candela/server/kernel/assert'
import { type Clock, fakeClock } from '@candela/server/kernel/clock'
import type { Handlers } from '@candela/server/kernel/handler'
import { silentLog } from '@candela/server/kernel/log'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { collectBacklog } from '@candela/server/modules/notice/collect-notices'
import { attestSnapshot } from '../proof/attested.ts'
import { addHistories } from './history.ts'
import { type Read, readsOf } from './reads.ts'
import { serviceWithoutChain } from './service.ts'

const NOW = new Date('2026-11-21T12:00:00Z')
const DAY = '2026-11-21'
const [FEW, MANY] = [100, 3_000]
/** For each row that is answered, and beside them: a page is merged from as many ranges as it has accounts and kinds. */
const [PER_ROW, BESIDE] = [30, 100]
/** A first look at notices takes the newest gains of each asset and writes them down. */
const FIRST_LOOK = 2_500
/** For a time within a day, the rest of its day is passed over. */
const REST_OF_DAY = 5_000

test('no read of a member looks at more rows because its owner has a long history', async () => {
  // One connection, so that what is counted is what this call has read.
  await using database = await createTestDatabase({ poolSize: 1, asOwner: true })
  const { db } = database
  // A posting without a time of booking counts as booked when it happened: in the past, as all of a history.
  await sql`alter table ledger_posting alter column booked_at drop default`.execute(db)
  const [many, few] = await addHistories(db, [MANY, FEW], NOW)
  const clock = fakeClock(NOW.toISOString())
  await attest(database.url, clock)
  const { handlers, contextOf } = serviceWithoutChain(db, clock)
  const measure = async (handlersOf: Handlers<Key>, owner: typeof few) => {
    const { memberId, address } = must(owner, 'a member with a history')
    // No caller has looked at its notices yet: the first look is a read like the others.
    const first = await rowsRead(db, () => handlersOf['GET notice/list']({ limit: 20 }, contextOf(memberId)))
    const measured = [{ name: 'the first GET notice/list', rows: (FIRST_LOOK - BESIDE) / PER_ROW, read: first.rows }]
    while (await transaction(db, collectBacklog));
    for (const read of readsOf(handlersOf, { address }, NOW)) {
      measured.push(...(await readPages(read, (cursor) => read.call(contextOf(memberId), cursor))))
    }
    return measured
  }
  const readPages = async ({ name }: Read, call: (cursor?: string) => ReturnType<Read['call']>) => {
    // Plans that are made for one question only end with the sixth.
    for (let nth = 0; nth < 6; nth++) await call()
    const first = await rowsRead(db, () => call())
    const pages = [{ name, rows: first.answer.rows, read: first.rows }]
    const { nextCursor } = first.answer
    if (nextCursor === null) return pages
    const second = await rowsRead(db, () => call(nextCursor))
    return [...pages, { name: `${name}, page 2`, rows: second.answer.rows, read: second.rows }]
  }
  const ofFew = new Map((await measure(handlers, few)).map((read) => [read.name, read]))
  const ofMany = await measure(handlers, many)
  const excessive = ofMany.flatMap(({ name, rows, read }) => {
    const other = ofFew.get(name)
    if (other === undefined) return []
    const beside = /since|before/.test(name) ? REST_OF_DAY : BESIDE
    return read <= Math.max(1.5 * other.read, PER_ROW * rows + beside)
      ? []
      : [`${name}: ${read} rows read for ${rows}, against ${other.read} for ${other.rows}`]
  })
  expect(excessive.join('\n')).toBe('')
  // The test can fail: reading everything is seen.
  const everything = await rowsRead(db, () => sql`select sum(amount) from ledger_entry`.execute(db))
  expect(everything.rows).toBeGreaterThan(MANY)
})

/** Attests what is owed: proofs are read from it. With connections of its own, because a snapshot takes two. */
async function attest(url: string, clock: Clock): Promise<void> {
  const db = openDatabase({ url, log: silentLog() })
  await attestSnapshot(db, DAY, clock)
  await db.destroy()
}

/** How many rows of tables and entries of indexes Postgres looked at for this. */
async function rowsRead<T>(db: Database, work: () => Promise<T>): Promise<{ rows: number; answer: T }> {
  const before = await countRows(db)
  const answer = await work()
  return { rows: (await countRows(db)) - before, answer }
}

async function countRows(db: Database): Promise<number> {
  // The counts of a connection become visible at the end of a transaction, at once only when it is asked for.
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ rows: bigint }>`
    select (select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) from pg_stat_user_tables)
      + (select sum(idx_tup_read) from pg_stat_user_indexes) as rows`.execute(db)
  return Number(must(rows[0], 'a sum').rows)
}
