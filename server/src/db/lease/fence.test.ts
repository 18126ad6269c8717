import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '../../kernel/log.ts'
import { type Database, isLeaseLost, openDatabase, transaction, type Tx } from '../open.ts'
import { createTestDatabase, patientPool, type TestDatabase } from '@candela/testing/postgres/test-database'
import { takeLease } from './lease.ts'

let own: TestDatabase
let nth = 0
beforeAll(async () => {
  own = await createTestDatabase({ asOwner: true })
  await sql`create table done (what text not null)`.execute(own.db)
})
afterAll(() => own.drop())

/** Counts the rows that anybody wrote under a name. */
const written = async (what: string): Promise<number> => {
  const { rows } = await sql`select from done where what = ${what}`.execute(own.db)
  return rows.length
}
const write = (db: Database, what: string) => sql`insert into done values (${what})`.execute(db)
/** A lease that has expired as soon as it is taken. */
const take = (name: string, duration_ms = 0) => takeLease(own.db, { name, holder: 'test', duration_ms })

/** A lease of its own for one test, and a database that writes under it. */
async function holder() {
  const name = `lease ${++nth}`
  const { number } = await take(name)
  // One connection: a refusal that left it in a failed transaction would show.
  const fence = { lease: name, number }
  const db = openDatabase({ url: own.url, log: silentLog(), poolSize: 1, checkRows: true, ...patientPool, fence })
  return { name, number, db, [Symbol.asyncDispose]: () => db.destroy() }
}

const isLost = (work: Promise<unknown>): Promise<boolean> => work.then(() => false, isLeaseLost)

describe('once the lease was taken by another', () => {
  test.each([
    ['a transaction', (db: Database, what: string) => transaction(db, (tx) => write(tx, what))],
    [
      'a transaction at one snapshot',
      (db: Database, what: string) => transaction(db, (tx) => write(tx, what), { isolation: 'repeatable read' }),
    ],
    ['a statement by itself', write],
    [
      'a statement that writes on its way',
      (db: Database, what: string) =>
        sql`with added as (insert into done values (${what}) returning what) select from added`.execute(db),
    ],
  ])('%s writes nothing, and could before', async (_what, attempt) => {
    await using lease = await holder()
    const what = lease.name
    await attempt(lease.db, what)
    expect(await written(what)).toBe(1)
    await take(lease.name)
    expect(await isLost(attempt(lease.db, what))).toBe(true)
    expect(await isLost(attempt(lease.db, what))).toBe(true)
    expect(await written(what)).toBe(1)
  })

  test('nothing of a transaction runs', async () => {
    await using lease = await holder()
    await take(lease.name)
    let runs = 0
    expect(await isLost(transaction(lease.db, () => Promise.resolve(++runs)))).toBe(true)
    expect(runs).toBe(0)
  })

  test('it still reads', async () => {
    await using lease = await holder()
    await write(lease.db, lease.name)
    await take(lease.name)
    expect(await isLost(write(lease.db, lease.name))).toBe(true)
    const { rows } = await sql`select from done where what = ${lease.name}`.execute(lease.db)
    expect(rows).toHaveLength(1)
  })
})

/** Whether somebody waits for a lease. */
const waits = async () => {
  const { rows } = await sql`
    select from pg_locks where relation = 'lease'::regclass and mode = 'ExclusiveLock' and not granted`.execute(own.db)
  return rows.length > 0
}

describe('a transaction that is open', () => {
  test('and ends in time is committed before the lease is taken', async () => {
    await using lease = await holder()
    const taking = await transaction(lease.db, async (tx) => {
      await write(tx, lease.name)
      const attempt = take(lease.name).then(async ({ number }) => [number, await written(lease.name)])
      await expect.poll(waits, { interval: 1 }).toBe(true)
      return { attempt }
    })
    expect(await taking.attempt).toEqual([lease.number + 1n, 1])
  })

  test.each(['read committed', 'repeatable read'] as const)(
    'and stands still is ended by whoever takes the lease, and nothing of it stays (%s)',
    async (isolation) => {
      await using lease = await holder()
      const paused = transaction(
        lease.db,
        async (tx) => {
          await write(tx, lease.name)
          expect((await take(lease.name)).isTaken).toBe(true)
          await write(tx, lease.name)
        },
        { isolation },
      )
      await expect(paused).rejects.toThrow(/terminat|connection/i)
      expect(await written(lease.name)).toBe(0)
    },
  )

  test('does not keep the lease from being prolonged', async () => {
    await using lease = await holder()
    await transaction(lease.db, async (tx) => {
      await write(tx, lease.name)
      await sql`update lease set expires_at = clock_timestamp() where name = ${lease.name}`.execute(own.db)
    })
    expect(await written(lease.name)).toBe(1)
  })
})

test('a snapshot begins with the first statement of its transaction, as without a fence', async () => {
  await using lease = await holder()
  const seen = await transaction(
    lease.db,
    async (tx: Tx) => {
      await write(own.db, lease.name)
      const { rows } = await sql`select from done where what = ${lease.name}`.execute(tx)
      return rows.length
    },
    { isolation: 'repeatable read' },
  )
  expect(seen).toBe(1)
})
