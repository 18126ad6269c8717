import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { type DatabasePool, type Lent, startDatabasePool } from './run/databases.ts'
import { runSeed } from './run/run-seed.ts'

/** In these five everything happens that is counted below; one of them ends with an exit. */
const FIRST_SEED = 7
/** In one only the database has proofs; in the other one the contract holds too little. */
const EXIT_SEEDS = [29, 25]
/** One in which members have saved a proof of a day before the last attested one. */
const OLDER_PROOF_SEED = 1

/** One in which a leader is paused, cut off from the lease and from the database, and stopped. */
const LEASE_SEED = 2

/** All that is in a database, with where its sequences stand. */
async function rowsOf({ db }: Pick<Lent, 'db'>): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(db)
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select to_jsonb(t)::text as row from ${sql.id(name)} t`.execute(db)
    found.push(...rows.map(({ row }) => `${name} ${row}`))
  }
  const { rows: numbers } = await sql<{ number: string }>`
    select sequencename || ' ' || coalesce(last_value, 0) as number from pg_sequences order by 1`.execute(db)
  return [...found.toSorted(), ...numbers.map(({ number }) => number)]
}

describe('a few simulations', () => {
  let pool: DatabasePool
  beforeAll(async () => {
    pool = await startDatabasePool()
  })
  afterAll(() => pool[Symbol.asyncDispose]())

  test('end without a finding', async () => {
    const figures = { payments: 0, payouts: 0, restarts: 0 }
    const lending: Record<string, number> = {}
    for (let seed = FIRST_SEED; seed < FIRST_SEED + 5; seed++) {
      const result = await runSeed(pool, seed)
      expect([seed, result.findings]).toEqual([seed, []])
      for (const name of ['payments', 'payouts', 'restarts'] as const) figures[name] += result.figures[name]
      for (const [name, count] of Object.entries(result.figures.lending)) lending[name] = (lending[name] ?? 0) + count
    }
    // A simulation in which nothing happens has no findings, either.
    expect(figures.payments).toBeGreaterThan(50)
    expect(figures.payouts).toBeGreaterThan(5)
    expect(figures.restarts).toBeGreaterThan(2)
    for (const name of ['fundIn', 'borrow', 'openLever', 'repay', 'repaidOnChain', 'lendingDays']) {
      expect([name, lending[name] ?? 0]).toEqual([name, expect.toSatisfy((count: number) => count > 1)])
    }
  })

  test('after an exit everybody gets what the leaf says, and nothing else leaves the contract', async () => {
    const counts: Record<string, number> = {}
    for (const seed of EXIT_SEEDS) {
      const { findings, figures } = await runSeed(pool, seed, { exit: true, workers: 1 })
      expect([seed, findings]).toEqual([seed, []])
      for (const [name, count] of Object.entries(figures.exit)) counts[name] = (counts[name] ?? 0) + count
    }
    // Claims of what was left a year later, and a proof that only the database of the dead server had.
    for (const name of ['exits', 'claims', 'short', 'claimsAgain', 'proofFrom:database', 'refused']) {
      expect([name, counts[name] ?? 0]).toEqual([name, expect.toSatisfy((count: number) => count > 0)])
    }
  })

  test('after an exit an older proof and a copy of the last tree are enough', async () => {
    const { findings, figures } = await runSeed(pool, OLDER_PROOF_SEED, { exit: true, workers: 1 })
    expect(findings).toEqual([])
    for (const name of ['claims', 'proofFrom:anotherDay']) expect(figures.exit[name]).toBeGreaterThan(0)
  })

  test('of two workers one leads, what the other one still does under a lost lease is refused, and the seed repeats', async () => {
    const options = { exit: false, workers: 2 } as const
    const [first, again] = [await runSeed(pool, LEASE_SEED, options), await runSeed(pool, LEASE_SEED, options)]
    expect(first.findings).toEqual([])
    for (const name of ['takeovers', 'pauses', 'staleWorks', 'refusals', 'handOvers']) {
      expect([name, first.figures.lease[name] ?? 0]).toEqual([name, expect.toSatisfy((count: number) => count > 0)])
    }
    expect(again.figures).toEqual(first.figures)
    expect(again.hash).toBe(first.hash)
  })

  test('a seed repeats exactly, and another one does not', async () => {
    const [first, again, other] = [await runSeed(pool, 5), await runSeed(pool, 5), await runSeed(pool, 6)]
    expect(again.hash).toBe(first.hash)
    expect(again.figures).toEqual(first.figures)
    expect(other.hash).not.toBe(first.hash)
  })

  test('a database that was used is as a new one', async () => {
    await using own = await startDatabasePool()
    const look = async () => {
      await using lent = await own.open()
      return rowsOf(lent)
    }
    const fresh = await look()
    expect(fresh.length).toBeGreaterThan(50)
    await runSeed(own, FIRST_SEED)
    expect(await look()).toEqual(fresh)
  })
})
