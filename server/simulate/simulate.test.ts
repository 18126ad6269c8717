import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DatabasePool, startDatabasePool } from './run/databases.ts'
import { runSeed } from './run/run-seed.ts'

/** In these five everything happens that is counted below; one of them ends with an exit. */
const FIRST_SEED = 15
/** One in which the contract holds too little, some were paid since, and nobody could save a proof. */
const EXIT_SEED = 38

/** Of two workers: paused, cut off from the lease and from the database, stopped. */
const LEASE_SEEDS = [2, 3, 4]
const REPEATED_SEED = 4

describe('a few simulations', () => {
  let pool: DatabasePool
  beforeAll(async () => {
    pool = await startDatabasePool()
  })
  afterAll(() => pool[Symbol.asyncDispose]())

  test('end without a finding', async () => {
    const figures = { payments: 0, payouts: 0, restarts: 0 }
    const credit: Record<string, number> = {}
    for (let seed = FIRST_SEED; seed < FIRST_SEED + 5; seed++) {
      const result = await runSeed(pool, seed)
      expect([seed, result.findings]).toEqual([seed, []])
      for (const name of ['payments', 'payouts', 'restarts'] as const) figures[name] += result.figures[name]
      for (const [name, count] of Object.entries(result.figures.credit)) credit[name] = (credit[name] ?? 0) + count
    }
    // A simulation in which nothing happens has no findings, either.
    expect(figures.payments).toBeGreaterThan(50)
    expect(figures.payouts).toBeGreaterThan(5)
    expect(figures.restarts).toBeGreaterThan(2)
    for (const name of ['fundIn', 'borrow', 'openLever', 'repay', 'repaidOnChain', 'creditDays']) {
      expect([name, credit[name] ?? 0]).toEqual([name, expect.toSatisfy((count: number) => count > 1)])
    }
  })

  test('after an exit everybody gets what the leaf says, and nothing else leaves the contract', async () => {
    const { findings, figures } = await runSeed(pool, EXIT_SEED, { exit: true, workers: 1 })
    expect(findings).toEqual([])
    // Claims that were counted first, and a proof that only the database of the dead server had.
    for (const name of ['exits', 'claims', 'short', 'counted', 'fromDatabase', 'refused']) {
      expect([name, figures.exit[name] ?? 0]).toEqual([name, expect.toSatisfy((count: number) => count > 0)])
    }
  })

  test('of two workers one leads at a time, and what the other one still does under a lost lease is refused', async () => {
    const counts: Record<string, number> = {}
    for (const seed of LEASE_SEEDS) {
      const { findings, figures } = await runSeed(pool, seed, { exit: false, workers: 2 })
      expect([seed, findings]).toEqual([seed, []])
      for (const [name, count] of Object.entries(figures.lease)) counts[name] = (counts[name] ?? 0) + count
    }
    for (const name of ['takeovers', 'pauses', 'staleWorks', 'refusals', 'handOvers']) {
      expect([name, counts[name] ?? 0]).toEqual([name, expect.toSatisfy((count: number) => count > 0)])
    }
  })

  test('a seed repeats exactly with two workers', async () => {
    const options = { exit: false, workers: 2 } as const
    const [first, again] = [await runSeed(pool, REPEATED_SEED, options), await runSeed(pool, REPEATED_SEED, options)]
    expect(first.figures.lease.pauses).toBeGreaterThan(0)
    expect(again.figures).toEqual(first.figures)
    expect(again.hash).toBe(first.hash)
  })

  test('a seed repeats exactly, and another one does not', async () => {
    const [first, again, other] = [await runSeed(pool, 5), await runSeed(pool, 5), await runSeed(pool, 6)]
    expect(again.hash).toBe(first.hash)
    expect(again.figures).toEqual(first.figures)
    expect(other.hash).not.toBe(first.hash)
  })
})
